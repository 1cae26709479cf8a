/** What a clock shows between two messages of the server, whose clock alone counts. */
import type { ClocksFact, FaceFact } from './messages';

/** Which part of a side's time is shown. */
export interface Shown {
  ms: number;
  part: 'free' | 'bank' | 'period';
  periods: number;
}

/** What a side has left, so many milliseconds after the message. */
export function after(face: FaceFact, elapsed: number): Shown {
  let left = elapsed;
  if (face.free_ms > left) return { ms: face.free_ms - left, part: 'free', periods: face.periods };
  left -= face.free_ms;
  if (face.bank_ms > left) return { ms: face.bank_ms - left, part: 'bank', periods: face.periods };
  left -= face.bank_ms;
  if (!face.periods || !face.period_ms) return { ms: 0, part: 'bank', periods: 0 };
  const used = Math.floor(left / face.period_ms);
  if (used >= face.periods) return { ms: 0, part: 'period', periods: 0 };
  return { ms: face.period_ms - (left - used * face.period_ms), part: 'period', periods: face.periods - used };
}

/** A side's time now; one that does not run shows what it has in the bank. */
export function shown(clocks: ClocksFact, player: number, elapsed: number): Shown {
  const face = clocks.faces[player] as FaceFact;
  if (clocks.running === player) return after(face, elapsed);
  if (face.bank_ms > 0) return { ms: face.bank_ms, part: 'bank', periods: face.periods };
  if (face.periods) return { ms: face.period_ms, part: 'period', periods: face.periods };
  return { ms: face.free_ms, part: 'free', periods: 0 };
}

/** Milliseconds as people read them: 2 d 3 h, 1:02:03, 4:05, 9.3. */
export function written(ms: number): string {
  if (ms < 10_000) return (Math.floor(Math.max(ms, 0) / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  const rest = String(seconds % 60).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** The same for a screen reader. */
export function spoken(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ];
  const said = parts.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return said.slice(0, 2).join(' ') || 'no time';
}

/** The seconds at which a running clock is told aloud. */
export const WARNINGS = [60, 30, 10];

/** The warning that lies between two readings of a clock. */
export function warning(before: number, now: number): number | null {
  return WARNINGS.find((seconds) => before > seconds * 1000 && now <= seconds * 1000) ?? null;
}
