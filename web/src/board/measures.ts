/** The lengths of a board's drawing: a square, and the frame around all of them, wider where it carries labels. */
import type { BoardFact } from '../lib/messages';
import { extent, type View } from './view';

export const CELL = 100;
const LABELLED = 30;
const PLAIN = 10;

/** The drawing's box, as an SVG's viewBox counts: the first square begins at 0, 0. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box of a board in a view. */
export function box(board: BoardFact, view: View): Box {
  const { columns, rows } = extent(board, view);
  const edge = board.names_inside ? PLAIN : LABELLED;
  return { x: -edge, y: -PLAIN, width: columns * CELL + edge + PLAIN, height: rows * CELL + edge + PLAIN };
}
