import { expect, test } from 'vitest';
import { after, shown, spoken, warning, written } from '../src/lib/clock';

const face = { free_ms: 2000, bank_ms: 60_000, period_ms: 10_000, periods: 3, flag_ms: 92_000 };

test('free time runs first, then the bank, then the periods', () => {
  expect(after(face, 500)).toEqual({ ms: 1500, part: 'free', periods: 3 });
  expect(after(face, 12_000)).toEqual({ ms: 50_000, part: 'bank', periods: 3 });
  expect(after(face, 67_000)).toEqual({ ms: 5000, part: 'period', periods: 3 });
  expect(after(face, 77_000)).toEqual({ ms: 5000, part: 'period', periods: 2 });
  expect(after(face, 95_000).ms).toBe(0);
});

test('a side that does not run shows its bank', () => {
  expect(shown({ running: 1, faces: [face, face] }, 0, 5000)).toEqual({ ms: 60_000, part: 'bank', periods: 3 });
});

test('time is written as people read it', () => {
  expect([9340, 65_000, 3_723_000, 90_000_000].map(written)).toEqual(['9.3', '1:05', '1:02:03', '1 d 1 h']);
  expect(spoken(65_000)).toBe('1 minute 5 seconds');
});

test('60, 30 and 10 seconds are told once', () => {
  expect(warning(60_100, 60_000)).toBe(60);
  expect(warning(60_000, 59_900)).toBe(null);
  expect(warning(10_050, 9_950)).toBe(10);
});
