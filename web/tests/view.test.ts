import { expect, test } from 'vitest';
import { cells, direction, extent, facing, labels, place } from '../src/board/view';
import type { BoardFact } from '../src/lib/messages';

const board: BoardFact = {
  files: 3,
  ranks: 4,
  names_inside: false,
  squares: Array.from({ length: 12 }, (_, n) => ({
    name: 'abc'.charAt(n % 3) + String(Math.floor(n / 3) + 1),
    file: n % 3,
    rank: Math.floor(n / 3),
    is_dark: n % 2 === 0,
    tint: null,
    zones: [],
  })),
};
const view = (quarterTurns: number, mirrored = false) => ({ quarterTurns, mirrored });
const corner = (turns: number, mirrored = false) => cells(board, view(turns, mirrored)).at(-1)?.[0]?.square.name;

test('the lower left corner, in each quarter turn and mirrored', () => {
  expect([0, 1, 2, 3].map((turns) => corner(turns))).toEqual(['a1', 'c1', 'c4', 'a4']);
  expect(corner(1, true)).toBe('a1');
  expect(place(board, view(0), 0, 0)).toEqual({ column: 0, row: 3 });
});

test('a quarter turn makes a tall board wide', () => {
  expect(extent(board, view(1))).toEqual({ columns: 4, rows: 3 });
});

test('labels name files and ranks however the board lies', () => {
  const along = (turns: number, axis: string) =>
    labels(board, view(turns)).filter((label) => label.axis === axis).map((label) => label.text).join('');
  expect(along(0, 'x')).toBe('abc');
  expect(along(2, 'x')).toBe('cba');
  expect(along(1, 'x')).toBe('1234');
  expect(along(1, 'y')).toBe('abc');
});

test('forward is up for whoever sits below', () => {
  expect(direction(view(0), 0, [0, 1])).toEqual({ x: 0, y: -1 });
  expect(direction(facing(1), 1, [0, 1]).y).toBe(-1);
});
