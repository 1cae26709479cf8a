/** What the other side wants, or that it has gone or come back: sentences to be seen and heard. */
import type { MatchFact, OffersFact } from './messages';

export const OFFERS: Record<keyof OffersFact, string> = {
  draw: 'offers a draw',
  takeback: 'asks for the last turn back',
  rematch: 'would like another match',
};

/** What has changed between two tellings of a match that one of its players should hear. */
export function news(before: MatchFact, now: MatchFact, names: string[]): string[] {
  if (now.seats.length !== 1) return [];
  const other = 1 - (now.seats[0] as number);
  const [then, state] = [before.state, now.state];
  const heard = (Object.keys(OFFERS) as (keyof OffersFact)[])
    .filter((what) => state.offers[what] === other && then.offers[what] !== other)
    .map((what) => `${names[other]} ${OFFERS[what]}.`);
  const [was, is] = [then.players[other]?.is_here, state.players[other]?.is_here];
  if (state.status === 'playing' && was !== is) heard.push(`${names[other]} ${is ? 'is back' : 'has left'}.`);
  if (now.turns.length < before.turns.length) heard.push(`Taken back. ${now.position.words}.`);
  return heard;
}
