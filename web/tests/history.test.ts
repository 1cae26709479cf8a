import { expect, test } from 'vitest';
import { apply, bySquare, guess, promotion, retoken, setsUp, unapply, type Scene } from '../src/lib/history';
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

const scene = (pieces: Scene['pieces'], last?: StepFact): Scene => ({ pieces, hands: [[], []], step: last });

test('a step goes forward and back again', () => {
  const after = apply(before, step);
  expect([...after.values()]).toEqual([piece('a2', 0, 'Q')]);
  expect(new Map(unapply(after, step))).toEqual(new Map([...before].reverse()));
});

test('a token keeps its identity when it moves, and counts when it becomes another kind', () => {
  const tokens = retoken([], scene(before));
  const moved = retoken(tokens, scene(apply(before, step), step));
  expect(moved).toHaveLength(1);
  expect(moved[0]?.id).toBe(tokens.find((token) => token.letter === 'R')?.id);
  expect(moved[0]?.changes).toBe(1);
});

test('until the server answers, the piece stands on the last square', () => {
  const { pieces } = guess({ pieces: before, hands: [[], []] }, ['a1', 'a2'], 0);
  expect([...pieces.values()]).toEqual([piece('a2', 0, 'R')]);
});

test('a promotion is what the last step did, not another kind where a piece stood', () => {
  expect(promotion(step)).toEqual({ before: piece('a1', 0, 'R'), after: piece('a2', 0, 'Q') });
  const army = bySquare([piece('a1', 0, 'R'), piece('b1', 0, 'C')]);
  const swapped = bySquare([piece('a1', 0, 'C'), piece('b1', 0, 'R')]);
  const tokens = retoken([], scene(army));
  const after = retoken(tokens, scene(swapped));
  expect(after.map(({ changes }) => changes)).toEqual([0, 0]);
  expect(after.find(({ letter }) => letter === 'C')?.id).toBe(tokens.find(({ letter }) => letter === 'C')?.id);
  // Looked at without the step, a board with another kind is another board.
  expect(retoken(retoken([], scene(before)), scene(apply(before, step))).map(({ changes }) => changes)).toEqual([0]);
});

test('a piece that enters the square which another has left is itself', () => {
  const then = bySquare([piece('a1', 0, 'R'), piece('a2', 0, 'C')]);
  const now = bySquare([piece('a2', 0, 'R'), piece('a3', 0, 'C')]);
  const last: StepFact = {
    touches: ['a1', 'a2'],
    does: 'move',
    changes: [
      { square: 'a1', before: piece('a1', 0, 'R'), after: null },
      { square: 'a2', before: null, after: piece('a2', 0, 'R') },
    ],
    hands: [],
  };
  const tokens = retoken(retoken([], scene(then)), scene(now, last));
  expect(tokens.map(({ changes }) => changes)).toEqual([0, 0]);
});

test('a piece that was guessed on its last square is promoted there when the server tells', () => {
  const guessed = guess(scene(before), ['a1', 'a2'], 0);
  const tokens = retoken(retoken(retoken([], scene(before)), guessed), scene(apply(before, step), step));
  expect(tokens.map(({ changes }) => changes)).toEqual([1]);
});

test('only a turn that drops an army sets it up, however long another is', () => {
  expect(setsUp(Array.from({ length: 9 }, () => step))).toBe(false);
  expect(setsUp(Array.from({ length: 16 }, () => ({ ...step, does: 'drop' as const })))).toBe(true);
  expect(setsUp([{ ...step, does: 'drop' }])).toBe(false);
});
