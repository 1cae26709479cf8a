import { expect, test } from 'vitest';
import type { MatchFact, SeatFact, StateFact, TurnFact } from '../src/lib/messages';
import { news } from '../src/lib/news';

const seat = (is_here: boolean) => ({ is_here }) as SeatFact;
const match = (state: Partial<StateFact>, turns = 2, seats = [0]) =>
  ({
    seats,
    turns: new Array<TurnFact>(turns),
    position: { words: 'White to move' },
    state: { status: 'playing', players: [seat(true), seat(true)], offers: { draw: null, takeback: null, rematch: null }, ...state },
  }) as MatchFact;
const heard = (state: Partial<StateFact>, before = match({})) => news(before, match(state), ['White', 'Black']);
const offers = { draw: null, takeback: null, rematch: null };

test('an offer of the other side is told once, my own is not', () => {
  expect(heard({ offers: { ...offers, draw: 1 } })).toEqual(['Black offers a draw.']);
  expect(heard({ offers: { ...offers, takeback: 1 } })).toEqual(['Black asks for the last turn back.']);
  expect(heard({ status: 'over', offers: { ...offers, rematch: 1 } })).toEqual(['Black would like another match.']);
  expect(heard({ offers: { ...offers, draw: 0 } })).toEqual([]);
  expect(heard({ offers: { ...offers, draw: 1 } }, match({ offers: { ...offers, draw: 1 } }))).toEqual([]);
});

test('an opponent who leaves or comes back is told of while the match goes on', () => {
  const away = [seat(true), seat(false)];
  expect(heard({ players: away })).toEqual(['Black has left.']);
  expect(heard({}, match({ players: away }))).toEqual(['Black is back.']);
  expect(heard({ status: 'over' }, match({ players: away }))).toEqual([]);
});

test('a turn that is taken back says who is to move', () => {
  expect(news(match({}, 2), match({}, 1), ['White', 'Black'])).toEqual(['Taken back. White to move.']);
  expect(news(match({}, 2, [0, 1]), match({ offers: { ...offers, draw: 1 } }, 2, [0, 1]), [])).toEqual([]);
});
