import { expect, test } from 'vitest';
import { Line, Refusal } from '../src/lib/line';
import type { FromClient, Refused } from '../src/lib/messages';

/** A line that keeps what it sends and the refusals that nobody waits for. */
function open() {
  const sent: FromClient[] = [];
  const unasked: string[] = [];
  const send = (message: FromClient) => sent.push(message) > 0;
  return { line: new Line(send, (refusal) => unasked.push(refusal.message)), sent, unasked };
}

const refused = (id: string | null, reason: Refused['reason']): Refused => ({ type: 'refused', id, reason, words: 'no', nearest: [] });
const idOf = (message: FromClient | undefined) => (message as { id: string }).id;

test('a refusal comes to whoever has asked', async () => {
  const { line, sent, unasked } = open();
  const [one, other] = ['one', 'other'].map((text) => line.request({ type: 'say', text }));
  line.answer(refused(idOf(sent[1]), 'limit'));
  await expect(other).rejects.toBeInstanceOf(Refusal);
  line.answer({ type: 'ack', id: idOf(sent[0]), v: 1, ply: 0, clocks: null });
  expect(await one).toMatchObject({ type: 'ack' });
  expect(unasked).toEqual([]);
});

test('what the server could not read is the oldest that is not answered: nobody waits for ever', async () => {
  const { line, sent } = open();
  const [one, other] = ['one', 'other'].map((text) => line.request({ type: 'say', text }));
  line.answer(refused(null, 'malformed'));
  await expect(one).rejects.toThrow('no');
  line.answer(refused(idOf(sent[1]), 'seat'));
  await expect(other).rejects.toThrow('no');
});

test('a refusal that nobody waits for is told', () => {
  const { line, unasked } = open();
  line.answer(refused(null, 'limit'));
  line.answer(refused('gone', 'over'));
  expect(unasked).toEqual(['no', 'no']);
});
