import { expect, test } from 'vitest';
import type { ActionFact, ChoiceFact } from '../src/lib/messages';
import { MOST_ASKED, explore, goesOn, offered, origins, pending, touch } from '../src/lib/turnbuilder';

const action = (id: number, does: ActionFact['does'], ...touches: string[]): ActionFact => ({ id, does, touches });
const choice = (...actions: ActionFact[]): ChoiceFact => ({
  actions,
  is_whole: false,
  problem: '',
  finish: null,
  actions_left: null,
  setup: null,
});
const usual = choice(action(1, 'move', 'a1', 'a2'), action(2, 'capture', 'a1', 'b2'), action(3, 'move', 'c1', 'c2'));

test('a piece is touched, then a square: the action is made', () => {
  expect(touch(usual, [], 'a1')).toEqual({ kind: 'touched', touches: ['a1'] });
  expect(touch(usual, ['a1'], 'b2')).toEqual({ kind: 'made', actions: [2] });
});

test('the piece that is held is let go when it is touched again, and another takes its place', () => {
  expect(touch(usual, ['a1'], 'a1')).toEqual({ kind: 'released' });
  expect(touch(usual, ['a1'], 'c1')).toEqual({ kind: 'touched', touches: ['c1'] });
});

test('what cannot be is asked about with all its touches', () => {
  expect(touch(usual, [], 'h8')).toEqual({ kind: 'impossible', touches: ['h8'] });
  expect(touch(usual, ['a1'], 'h8')).toEqual({ kind: 'impossible', touches: ['a1', 'h8'] });
});

test('each square that can be touched next says what that does', () => {
  expect([...offered(usual.actions, ['a1'])]).toEqual([['a2', 'move'], ['b2', 'capture']]);
  expect(origins(usual)).toEqual(new Set(['a1', 'c1']));
});

test('a single legal action is made by touching its piece', () => {
  expect(touch(choice(action(9, 'capture', 'a1', 'c3')), [], 'a1')).toEqual({ kind: 'made', actions: [9] });
});

const pushes = choice(
  action(1, 'move', 'a1', 'a2'),
  action(2, 'push', 'a1', 'a2', 'a3', 'a4'),
  action(3, 'push', 'a1', 'a2', 'b2', 'c2'),
  action(4, 'push', 'a1', 'b1', 'c1'),
);

test('an action that others go on from waits, and is made when its last square is touched again', () => {
  expect(touch(pushes, ['a1'], 'a2')).toEqual({ kind: 'touched', touches: ['a1', 'a2'] });
  expect(pending(pushes, ['a1', 'a2'])?.id).toBe(1);
  expect(touch(pushes, ['a1', 'a2'], 'a2')).toEqual({ kind: 'made', actions: [1] });
  expect(touch(pushes, ['a1', 'a2', 'a3'], 'a4')).toEqual({ kind: 'made', actions: [2] });
});

test('the first and the last square alone are enough where one action only ends there', () => {
  expect(touch(pushes, ['a1'], 'c2')).toEqual({ kind: 'made', actions: [3] });
  expect(touch(pushes, ['a1'], 'c1')).toEqual({ kind: 'made', actions: [4] });
});

test('the letter of a piece in hand is touched like a square', () => {
  const drops = choice(action(5, 'drop', 'C', 'b2'), action(6, 'drop', 'C', 'b3'));
  expect(touch(drops, ['C'], 'b3')).toEqual({ kind: 'made', actions: [6] });
});

const jumps: Record<string, ChoiceFact> = {
  '': choice(action(1, 'capture', '1', '10'), action(2, 'capture', '1', '12')),
  '1': choice(action(3, 'capture', '10', '19')),
  '2': choice(action(4, 'capture', '12', '19')),
  '1,3': { ...choice(), is_whole: true },
  '2,4': { ...choice(action(5, 'capture', '19', '28')), problem: 'the capture goes on' },
  '2,4,5': { ...choice(), is_whole: true },
};
const ask = (actions: number[]) => Promise.resolve(jumps[actions.join()] as ChoiceFact);

test('a capture of several jumps is found to its end, and ambiguous ends show their routes', async () => {
  const ways = await explore(jumps[''] as ChoiceFact, '1', ask);
  expect(ways.map((way) => way.touches.join('-'))).toEqual(['1-10-19', '1-12-19', '1-12-19-28']);
  expect(touch(jumps[''] as ChoiceFact, ['1'], '28', ways)).toEqual({ kind: 'made', actions: [2, 4, 5] });
  const reply = touch(jumps[''] as ChoiceFact, ['1'], '19', ways);
  expect(reply.kind === 'routes' && reply.ways.map((way) => way.actions)).toEqual([[1, 3], [2, 4]]);
});

test('a piece must go on where nothing else can and the turn cannot end', () => {
  expect(goesOn(jumps['1'] as ChoiceFact, '10')).toBe(true);
  expect(goesOn({ ...(jumps['1'] as ChoiceFact), finish: [0] }, '10')).toBe(false);
});

test('ways are asked for level by level, all of a level at once', async () => {
  let [open, most] = [0, 0];
  const slow = async (actions: number[]) => {
    most = Math.max(most, (open += 1));
    await Promise.resolve();
    open -= 1;
    return ask(actions);
  };
  await explore(jumps[''] as ChoiceFact, '1', slow);
  expect(most).toBe(2);
});

test('where there are too many ways to ask for, none is taken for the only one', async () => {
  let next = 0;
  const many = (from: string) => choice(...[1, 2, 3].map((n) => action((next += 1), 'capture', from, `${from}${n}`)));
  const asked: number[][] = [];
  const last = new Map<number, string>();
  const endless = (actions: number[]) => {
    asked.push(actions);
    const on = many(last.get(actions.at(-1) as number) as string);
    for (const { id, touches } of on.actions) last.set(id, touches[1] as string);
    return Promise.resolve(on);
  };
  const start = many('a');
  for (const { id, touches } of start.actions) last.set(id, touches[1] as string);
  expect(await explore(start, 'a', endless)).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(MOST_ASKED);
});

test('routes that part only after the first jump are asked about too', async () => {
  const late: Record<string, ChoiceFact> = {
    '': choice(action(1, 'capture', '20', '11'), action(9, 'capture', '20', '7')),
    '1': choice(action(2, 'capture', '11', '25'), action(3, 'capture', '11', '29')),
    '9': { ...choice(), is_whole: true },
    '1,2': choice(action(4, 'capture', '25', '4')),
    '1,3': choice(action(5, 'capture', '29', '4')),
  };
  const told = (actions: number[]) => Promise.resolve(late[actions.join()] ?? { ...choice(), is_whole: true });
  const ways = await explore(late[''] as ChoiceFact, '20', told);
  const reply = touch(late[''] as ChoiceFact, ['20'], '4', ways);
  expect(reply.kind === 'routes' && reply.ways.map((way) => way.actions)).toEqual([[1, 2, 4], [1, 3, 5]]);
});
