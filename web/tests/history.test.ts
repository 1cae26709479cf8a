import { expect, test } from 'vitest';
import { apply, bySquare, guess, retoken, unapply } from '../src/lib/history';
import type { PieceFact, StepFact } from '../src/lib/messages';

const piece = (square: string, player: number, letter: string): PieceFact => ({ square, player, letter });
const before = bySquare([piece('a1', 0, 'R'), piece('a2', 1, 'P')]);
const step: StepFact = {
  touches: ['a1', 'a2'],
  does: 'capture',
  changes: [
    { square: 'a1', before: piece('a1', 0, 'R'), after: null },
    { square: 'a2', before: piece('a2', 1, 'P'), after: piece('a2', 0, 'Q') },
  ],
  hands: [[{ letter: 'P', count: 1 }], []],
};

test('a step goes forward and back again', () => {
  const after = apply(before, step);
  expect([...after.values()]).toEqual([piece('a2', 0, 'Q')]);
  expect(new Map(unapply(after, step))).toEqual(new Map([...before].reverse()));
});

test('a token keeps its identity when it moves, and counts when it becomes another kind', () => {
  const tokens = retoken([], before);
  const moved = retoken(tokens, apply(before, step));
  expect(moved).toHaveLength(1);
  expect(moved[0]?.id).toBe(tokens.find((token) => token.letter === 'R')?.id);
  expect(moved[0]?.changes).toBe(1);
});

test('until the server answers, the piece stands on the last square', () => {
  const { pieces } = guess({ pieces: before, hands: [[], []] }, ['a1', 'a2'], 0);
  expect([...pieces.values()]).toEqual([piece('a2', 0, 'R')]);
});
