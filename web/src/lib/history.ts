/** Positions as pieces on squares: steps applied forward and backward, and who moved where. */
import type { ChangeFact, CountFact, MatchFact, PieceFact, StepFact } from './messages';

export type Pieces = ReadonlyMap<string, PieceFact>;

/** Pieces by their squares. */
export function bySquare(pieces: PieceFact[]): Pieces {
  return new Map(pieces.map((piece) => [piece.square, piece]));
}

/** The board after a step. */
export function apply(pieces: Pieces, step: StepFact): Pieces {
  return changed(pieces, step.changes, 'after');
}

/** The board before a step that led here. */
export function unapply(pieces: Pieces, step: StepFact): Pieces {
  return changed(pieces, step.changes, 'before');
}

function changed(pieces: Pieces, changes: ChangeFact[], side: 'before' | 'after'): Pieces {
  const next = new Map(pieces);
  for (const change of changes) {
    const piece = change[side];
    if (piece) next.set(change.square, piece);
    else next.delete(change.square);
  }
  return next;
}

/** A board with both hands. */
export interface Scene {
  pieces: Pieces;
  hands: CountFact[][];
  /** The step that has just led here, where one has. */
  step?: StepFact;
}

/** The board after so many turns of a match. */
export function sceneAfter(match: MatchFact, turns: number): Scene {
  let pieces = bySquare(match.start.pieces);
  let hands = match.start.hands;
  for (const turn of match.turns.slice(0, turns)) {
    for (const step of turn.steps) {
      pieces = apply(pieces, step);
      hands = step.hands;
    }
  }
  return { pieces, hands };
}

/** The boards through which a turn goes, one for each step. */
export function scenesOf(before: Scene, steps: StepFact[]): Scene[] {
  const scenes: Scene[] = [];
  let pieces = before.pieces;
  for (const step of steps) {
    pieces = apply(pieces, step);
    scenes.push({ pieces, hands: step.hands, step });
  }
  return scenes;
}

/** The squares that steps touch, for marking the last turn. */
export function touched(steps: StepFact[]): Set<string> {
  return new Set(steps.flatMap((step) => step.changes.map((change) => change.square)));
}

/** Whether these steps set up an army: nothing that a board would show one by one. */
export function setsUp(steps: StepFact[]): boolean {
  return steps.length > 1 && steps.every((step) => step.does === 'drop');
}

/** A piece that becomes another kind in a step. */
export interface Promotion {
  before: PieceFact;
  after: PieceFact;
}

/** The promotion in a step: one piece is gone, and its owner has one of another kind that was on no square before. */
export function promotion({ touches, changes }: StepFact): Promotion | null {
  const gone = changes.flatMap(({ before }) => before ?? []);
  const come = changes.flatMap(({ after }) => after ?? []);
  const after = come.find((piece) => !gone.some((other) => same(piece, other)));
  const before = gone.find((piece) => piece.square === touches[0]);
  return before && after && before.player === after.player ? { before, after } : null;
}

/** A board drawn before the server has answered: the piece of the first touch stands on the last. */
export function guess(scene: Scene, touches: string[], mover: number): Scene {
  const from = touches[0];
  const to = touches.at(-1);
  if (from === undefined || to === undefined || from === to) return scene;
  const pieces = new Map(scene.pieces);
  const piece = pieces.get(from) ?? { square: from, player: mover, letter: from };
  if (touches.length <= 2) {
    pieces.delete(from);
    pieces.set(to, { ...piece, square: to });
  }
  return { pieces, hands: scene.hands };
}

/** A token that keeps its identity while it moves, so that a browser can slide it. */
export interface Token extends PieceFact {
  id: number;
  /** How often it has become another kind. */
  changes: number;
}

let lastId = 0;

/** The tokens for a new board: those that stay, the one that the last step promoted, those that moved, and new ones. */
export function retoken(tokens: Token[], { pieces, step }: Scene): Token[] {
  const free = new Set(tokens);
  const next: Token[] = [];
  const promoted = step ? promotion(step) : null;
  let open = [...pieces.values()];
  const take = (fits: (token: Token, piece: PieceFact) => boolean) => {
    open = open.filter((piece) => {
      const token = [...free].find((one) => fits(one, piece));
      if (!token) return true;
      free.delete(token);
      const changes = token.changes + (token.letter === piece.letter ? 0 : 1);
      next.push({ ...piece, id: token.id, changes });
      return false;
    });
  };
  take((token, piece) => same(token, piece) && token.square === piece.square);
  if (promoted) {
    const { before, after } = promoted;
    const isPromoted = (token: Token, piece: PieceFact) =>
      same(token, before) && same(piece, after) && piece.square === after.square;
    take((token, piece) => isPromoted(token, piece) && [before.square, after.square].includes(token.square));
    take(isPromoted);
  }
  take(same);
  for (const piece of open) next.push({ ...piece, id: ++lastId, changes: 0 });
  return next.sort((one, other) => one.id - other.id);
}

function same(one: PieceFact, other: PieceFact): boolean {
  return one.player === other.player && one.letter === other.letter;
}
