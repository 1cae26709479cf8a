/** How a board lies on the screen: quarter turns, mirrored or not; squares to columns and rows and back. */
import type { BoardFact, SquareFact } from '../lib/messages';

export interface View {
  quarterTurns: number;
  mirrored: boolean;
}

export interface Place {
  column: number;
  row: number;
}

/** Where a file and rank lie, from the upper left. */
export function place(board: BoardFact, view: View, file: number, rank: number): Place {
  let [column, row] = [file, board.ranks - 1 - rank];
  let [columns, rows] = [board.files, board.ranks];
  for (let turn = 0; turn < view.quarterTurns % 4; turn += 1) {
    [column, row] = [rows - 1 - row, column];
    [columns, rows] = [rows, columns];
  }
  return { column, row: view.mirrored ? rows - 1 - row : row };
}

/** How many squares lie side by side and one above the other. */
export function extent(board: BoardFact, view: View): { columns: number; rows: number } {
  const isTurned = view.quarterTurns % 2 === 1;
  return isTurned ? { columns: board.ranks, rows: board.files } : { columns: board.files, rows: board.ranks };
}

/** A square with where it lies. */
export interface Cell extends Place {
  square: SquareFact;
}

/** The squares row by row as they are seen. */
export function cells(board: BoardFact, view: View): Cell[][] {
  const { columns, rows } = extent(board, view);
  const grid: Cell[][] = Array.from({ length: rows }, () => new Array<Cell>(columns));
  for (const square of board.squares) {
    const at = place(board, view, square.file, square.rank);
    (grid[at.row] as Cell[])[at.column] = { ...at, square };
  }
  return grid;
}

/** Labels along the lower and left edges, however the board is turned; none where squares carry their names. */
export function labels(board: BoardFact, view: View): { text: string; axis: 'x' | 'y'; at: number }[] {
  if (board.names_inside) return [];
  const grid = cells(board, view);
  const isTurned = view.quarterTurns % 2 === 1;
  const split = (name: string) => (isTurned ? { across: name.slice(1), up: name[0] ?? '' } : { across: name[0] ?? '', up: name.slice(1) });
  const bottom = (grid.at(-1) ?? []).map((cell, at) => ({ text: split(cell.square.name).across, axis: 'x' as const, at }));
  const left = grid.map((row, at) => ({ text: split(row[0]?.square.name ?? '').up, axis: 'y' as const, at }));
  return [...bottom, ...left];
}

/** The direction on the screen of a step seen by a player: files to the right, ranks forward. */
export function direction(view: View, player: number, [files, ranks]: [number, number]): { x: number; y: number } {
  let [x, y] = player === 0 ? [files, -ranks] : [-files, ranks];
  for (let turn = 0; turn < view.quarterTurns % 4; turn += 1) [x, y] = [-y, x];
  return { x, y: view.mirrored ? -y : y };
}

/** The view in which a player sits below. */
export function facing(player: number, view: View = { quarterTurns: 0, mirrored: false }): View {
  return { ...view, quarterTurns: (view.quarterTurns + (player === 1 ? 2 : 0)) % 4 };
}

/** An arrow between two squares: drawn by a person, or a leg of a route to choose. */
export interface Arrow {
  from: string;
  to: string;
  kind: 'drawn' | 'route';
}
