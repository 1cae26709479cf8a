/** What a clock shows between two messages of the server, whose clock alone counts. */
import type { ClocksFact, FaceFact } from './messages';

/** What a side has left, part by part; time is taken from `free` first, then from the bank, then from periods. */
export interface Left {
  free: number;
  bank: number;
  /** Of the period that runs, or would run next. */
  period: number;
  periods: number;
  /** Until the flag falls; null where it does not. */
  flag: number | null;
  /** Whether it falls though not everything is used up: one turn may take no more. */
  isCapped: boolean;
}

/** What a clock shows: one time large, what else there is in signs beside it, and all of it in words. */
export interface Shown {
  ms: number;
  notes: string[];
  words: string;
  flag: number | null;
}

/** What a side has left, so many milliseconds after the message. */
export function after(face: FaceFact, elapsed: number): Left {
  const paid = Math.max(0, elapsed - face.free_ms);
  return {
    free: Math.max(0, face.free_ms - elapsed),
    bank: Math.max(0, face.bank_ms - paid),
    ...periodsAfter(face, Math.max(0, paid - face.bank_ms)),
    flag: face.flag_ms === null ? null : Math.max(0, face.flag_ms - elapsed),
    isCapped: face.flag_ms !== null && !face.periods && face.flag_ms < face.free_ms + face.bank_ms,
  };
}

/** The periods after so much was taken from them. Of the first one a part may be used; the flag tells how long the others are. */
function periodsAfter(face: FaceFact, taken: number): Pick<Left, 'period' | 'periods'> {
  if (!face.periods) return { period: 0, periods: 0 };
  if (taken < face.period_ms) return { period: face.period_ms - taken, periods: face.periods };
  const later = taken - face.period_ms;
  const others = (face.flag_ms ?? 0) - face.free_ms - face.bank_ms - face.period_ms;
  if (later >= others) return { period: 0, periods: 0 };
  const whole = others / (face.periods - 1);
  return { period: whole - (later % whole), periods: face.periods - 1 - Math.floor(later / whole) };
}

/** What a side's clock shows now; one that does not run shows the same parts. */
export function shown(clocks: ClocksFact, player: number, elapsed: number): Shown {
  const left = after(clocks.faces[player] as FaceFact, clocks.running === player ? elapsed : 0);
  const ms = left.bank || (left.periods ? left.period : left.free);
  const rest = besides(left);
  return { ms, notes: rest.map(({ signs }) => signs), words: [spoken(ms), ...rest.map(({ words }) => words)].join(', '), flag: left.flag };
}

/** What there is besides the large time, and what the turn may take at most. */
function besides({ free, bank, period, periods, flag, isCapped }: Left): { signs: string; words: string }[] {
  const found = [];
  if (free && (bank || periods)) found.push({ signs: `free ${written(free)}`, words: `${spoken(free)} free` });
  if (periods && bank) found.push({ signs: `+ ${periods} × ${written(period)}`, words: `then ${periods} times ${spoken(period)}` });
  else if (periods) found.push({ signs: `× ${periods}`, words: periods === 1 ? 'the last period' : `${periods} periods` });
  if (flag !== null && isCapped) found.push({ signs: `limit ${written(flag)}`, words: `at most ${spoken(flag)} for the turn` });
  return found;
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

/** Below this much until its flag falls, a running clock looks urgent. */
export const LOW = 20_000;

/** The seconds before the flag at which a running clock is told aloud. */
export const WARNINGS = [60, 30, 10];

/** Tells each warning of a turn once; a turn that begins with less time has no more of it to tell. */
export class Warnings {
  private due: number[];

  constructor(flag: number | null) {
    this.due = WARNINGS.filter((seconds) => flag !== null && flag > seconds * 1000);
  }

  /** The warning that is reached now: the last one, if time has leapt over several. */
  next(flag: number | null): number | null {
    if (flag === null) return null;
    const reached = this.due.filter((seconds) => flag <= seconds * 1000);
    this.due = this.due.filter((seconds) => flag > seconds * 1000);
    return reached.at(-1) ?? null;
  }
}
