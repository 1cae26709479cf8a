/** From gestures to actions: what a hand has touched so far, and what that means. Pure; knows no rules. */
import type { ActionFact, ChoiceFact } from './messages';

export type Does = ActionFact['does'];

/** Ways on from a first square through several actions to a last one, each the numbers of its actions. */
export interface Way {
  touches: string[];
  actions: number[];
}

/** What a touch leads to. */
export type Reply =
  | { kind: 'made'; actions: number[] }
  | { kind: 'touched'; touches: string[] }
  | { kind: 'released' }
  | { kind: 'routes'; ways: Way[] }
  | { kind: 'impossible'; touches: string[] };

/** The actions that begin with these touches. */
export function beginning(actions: ActionFact[], touches: string[]): ActionFact[] {
  return actions.filter((action) => touches.every((touch, at) => action.touches[at] === touch));
}

/** What can be touched next, and what it would do; the strongest deed where several share a square. */
export function offered(actions: ActionFact[], touches: string[], ways: Way[] = []): Map<string, Does | 'way'> {
  const next = new Map<string, Does | 'way'>();
  for (const way of ways) {
    const last = way.touches.at(-1);
    if (last !== undefined && touches.length === 1) next.set(last, 'way');
  }
  for (const action of beginning(actions, touches)) {
    const touch = action.touches[touches.length];
    if (touch === undefined) continue;
    const isLast = action.touches.length === touches.length + 1;
    const does: Does = isLast || action.does === 'push' ? action.does : 'move';
    const known = next.get(touch);
    if (!known || known === 'way' || (known === 'push' && isLast)) next.set(touch, does);
  }
  return next;
}

/** The action that is made by exactly these touches though others go on from there. */
export function pending(choice: ChoiceFact, touches: string[]): ActionFact | null {
  if (!touches.length) return null;
  return beginning(choice.actions, touches).find((action) => action.touches.length === touches.length) ?? null;
}

/** What it means to touch a square (or a letter in hand) after some touches. */
export function touch(choice: ChoiceFact, touches: string[], square: string, ways: Way[] = []): Reply {
  const done = pending(choice, touches);
  if (done && touches.length > 1 && touches.at(-1) === square) return { kind: 'made', actions: [done.id] };
  if (touches.length === 1 && touches[0] === square) return { kind: 'released' };
  const all = [...touches, square];
  const on = beginning(choice.actions, all);
  if (on.length) return onward(choice, on, all);
  if (touches.length) {
    const meant = shortcut(choice, touches, square, ways);
    if (meant) return meant;
    const anew = beginning(choice.actions, [square]);
    if (anew.length) return onward(choice, anew, [square]);
  }
  return { kind: 'impossible', touches: all };
}

/** After touches that some actions begin with: made if only one is left, or if it is the single legal one. */
function onward(choice: ChoiceFact, on: ActionFact[], touches: string[]): Reply {
  const only = on.length === 1 ? on[0] : undefined;
  const isSingle = only && choice.actions.filter((action) => action.does !== 'pass').length === 1;
  if (only && (only.touches.length === touches.length || isSingle)) return { kind: 'made', actions: [only.id] };
  return { kind: 'touched', touches };
}

/** The first and the last square touched alone. */
function shortcut(choice: ChoiceFact, touches: string[], square: string, ways: Way[]): Reply | null {
  const ends = beginning(choice.actions, touches).filter((action) => action.touches.at(-1) === square);
  if (ends.length === 1 && ends[0]) return { kind: 'made', actions: [ends[0].id] };
  const there = ways.filter((way) => through(way, touches) && way.touches.at(-1) === square);
  const shortest = distinct(there);
  if (shortest.length === 1 && shortest[0]) return { kind: 'made', actions: shortest[0].actions };
  if (shortest.length > 1) return { kind: 'routes', ways: shortest };
  return null;
}

function through(way: Way, touches: string[]): boolean {
  return touches.every((touch, at) => way.touches[at] === touch);
}

function distinct(ways: Way[]): Way[] {
  const known = new Map(ways.map((way) => [way.actions.join(), way]));
  return [...known.values()];
}

/** The pieces (squares, letters in hand) that can begin an action. */
export function origins(choice: ChoiceFact): Set<string> {
  return new Set(choice.actions.flatMap((action) => action.touches.slice(0, 1)));
}

/** How many questions are asked about the ways of one piece. */
export const MOST_ASKED = 24;

/** Find all ways of several actions by one piece where it must go on: `ask` tells the choice after some actions. None are
 * found where they are too many, for among some of them a last square would seem to be meant by one way only. */
export async function explore(start: ChoiceFact, origin: string, ask: (actions: number[]) => Promise<ChoiceFact>): Promise<Way[]> {
  const ways: Way[] = [];
  let asked = 0;
  let open: { way: Way; choice: ChoiceFact }[] = [{ way: { touches: [origin], actions: [] }, choice: start }];
  while (open.length) {
    const next = open.flatMap(({ way, choice }) => onwards(way, choice));
    asked += next.length;
    if (asked > MOST_ASKED) return [];
    ways.push(...next.filter(({ actions }) => actions.length > 1));
    const answers = await Promise.all(next.map(async (way) => ({ way, choice: await ask(way.actions) })));
    open = answers.filter(({ way, choice }) => goesOn(choice, way.touches.at(-1) as string));
  }
  return ways;
}

/** A way and one more capture. */
function onwards(way: Way, choice: ChoiceFact): Way[] {
  const captures = beginning(choice.actions, way.touches.slice(-1)).filter((action) => action.does === 'capture');
  return captures.map(({ id, touches }) => ({ touches: [...way.touches, ...touches.slice(1)], actions: [...way.actions, id] }));
}

/** Whether the piece on a square, and only it, must go on. */
export function goesOn(choice: ChoiceFact, square: string): boolean {
  return choice.actions.length > 0 && choice.finish === null && choice.actions.every((a) => a.touches[0] === square);
}
