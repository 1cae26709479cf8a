import { expect, test } from 'vitest';
import { after, LOW, shown, spoken, Warnings, written } from '../src/lib/clock';
import type { FaceFact } from '../src/lib/messages';

const MINUTE = 60_000;
const NOTHING: FaceFact = { free_ms: 0, bank_ms: 0, period_ms: 0, periods: 0, flag_ms: null };
const delay: FaceFact = { ...NOTHING, free_ms: 5000, bank_ms: 10 * MINUTE, flag_ms: 10 * MINUTE + 5000 };
const byoyomi: FaceFact = { ...NOTHING, bank_ms: MINUTE, period_ms: 30_000, periods: 3, flag_ms: MINUTE + 90_000 };
const days: FaceFact = { ...NOTHING, free_ms: 3 * 24 * 60 * MINUTE, flag_ms: 3 * 24 * 60 * MINUTE };
/** Two minutes for each turn, half an hour in reserve, no turn over eight minutes. */
const capped: FaceFact = { ...NOTHING, free_ms: 2 * MINUTE, bank_ms: 30 * MINUTE, flag_ms: 8 * MINUTE };

/** A clock's large time, and what stands beside it, so long after the turn began. */
function looks(face: FaceFact, elapsed: number, running: number | null = 0): string[] {
  const { ms, notes } = shown({ running, faces: [face, face] }, 0, elapsed);
  return [written(ms), ...notes];
}

/** What is told aloud of a turn, looked at every tenth of a second. */
function told(face: FaceFact, ms: number): number[] {
  const warnings = new Warnings(face.flag_ms);
  const found = [];
  for (let elapsed = 0; elapsed <= ms; elapsed += 100) found.push(warnings.next(after(face, elapsed).flag));
  return found.filter((seconds) => seconds !== null);
}

test('a delay runs beside the main time, which stands until the delay is over', () => {
  expect(looks(delay, 0)).toEqual(['10:00', 'free 5.0']);
  expect(looks(delay, 4000)).toEqual(['10:00', 'free 1.0']);
  expect(looks(delay, 65_000)).toEqual(['9:00']);
});

test('a period runs after the main time, and the next one is whole again', () => {
  expect(looks(byoyomi, 15_000)).toEqual(['0:45', '+ 3 × 0:30']);
  expect(looks(byoyomi, 65_000)).toEqual(['0:25', '× 3']);
  expect(looks(byoyomi, 95_000)).toEqual(['0:25', '× 2']);
  expect(looks(byoyomi, 150_000)).toEqual(['0.0']);
});

test('a period that was partly used when the server told of it leaves the others whole', () => {
  const late = { ...byoyomi, bank_ms: 0, period_ms: 12_000, flag_ms: 72_000 };
  expect(looks(late, 2000)).toEqual(['0:10', '× 3']);
  expect(looks(late, 22_000)).toEqual(['0:20', '× 2']);
  expect(looks({ ...late, periods: 1, flag_ms: 12_000 }, 2000)).toEqual(['0:10', '× 1']);
});

test('days for each turn are all there is', () => {
  expect(looks(days, 60 * MINUTE)).toEqual(['2 d 23 h']);
});

test('where a turn may not use everything up, its limit is told', () => {
  expect(looks(capped, MINUTE)).toEqual(['30:00', 'free 1:00', 'limit 7:00']);
  expect(looks(capped, 8 * MINUTE - 100)).toEqual(['24:00', 'limit 0.1']);
  expect(looks({ ...capped, bank_ms: 6 * MINUTE }, MINUTE)).toEqual(['6:00', 'free 1:00']);
  expect(looks({ ...capped, bank_ms: 0, flag_ms: MINUTE }, 0)).toEqual(['2:00', 'limit 1:00']);
});

test('a clock that stands shows the same parts', () => {
  for (const face of [delay, byoyomi, days, capped]) expect(looks(face, 30_000, 1)).toEqual(looks(face, 0));
});

test('all of it is said in words', () => {
  const words = (face: FaceFact, elapsed: number) => shown({ running: 0, faces: [face, face] }, 0, elapsed).words;
  expect(words(delay, 1000)).toBe('10 minutes, 4 seconds free');
  expect(words(byoyomi, 0)).toBe('1 minute, then 3 times 30 seconds');
  expect(words(byoyomi, 140_000)).toBe('10 seconds, the last period');
  expect(words(capped, 3 * MINUTE)).toBe('29 minutes, at most 5 minutes for the turn');
});

test('time is written as people read it', () => {
  expect([9340, 65_000, 3_723_000, 90_000_000].map(written)).toEqual(['9.3', '1:05', '1:02:03', '1 d 1 h']);
  expect(spoken(65_000)).toBe('1 minute 5 seconds');
});

test('60, 30 and 10 seconds are told before the flag falls, whichever part runs', () => {
  expect(told(delay, 9 * MINUTE)).toEqual([]);
  expect(told(delay, 11 * MINUTE)).toEqual([60, 30, 10]);
  expect(told(capped, 8 * MINUTE)).toEqual([60, 30, 10]);
  expect(told(byoyomi, 3 * MINUTE)).toEqual([60, 30, 10]);
  expect(told({ ...byoyomi, bank_ms: 0, periods: 1, flag_ms: 30_000 }, 30_000)).toEqual([10]);
  expect(told({ ...NOTHING, bank_ms: MINUTE }, 2 * MINUTE)).toEqual([]);
});

test('a warning is told once a turn, though the server gives some time back, and the last of several that were missed', () => {
  const warnings = new Warnings(90_000);
  expect([61_000, 59_900, 60_100, 59_800, 9000, 8000].map((flag) => warnings.next(flag))).toEqual([null, 60, null, null, 10, null]);
});

test('a clock is urgent by its flag, not by the part that runs', () => {
  expect(shown({ running: 0, faces: [delay, delay] }, 0, 4000).flag).toBeGreaterThan(LOW);
  expect(shown({ running: 0, faces: [capped, capped] }, 0, 8 * MINUTE - 100).flag).toBeLessThan(LOW);
});
