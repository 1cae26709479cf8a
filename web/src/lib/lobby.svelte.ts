/** The lobby's socket, open on every page: who waits for an opponent, and what happens in my matches while I am elsewhere. */
import { announce } from './announce';
import * as api from './api';
import { refresh } from './me.svelte';
import type { FromLobby, LobbySeek, Pong } from './messages';
import { go, replace, route } from './router.svelte';
import { Socket, type Status } from './socket';
import { play, type Sound } from './sound';

/** What has happened in a match, in words. */
export interface Tidings {
  match: string;
  words: string;
}

export const lobby = $state<{ seeks: LobbySeek[] | null; tidings: Tidings[] }>({ seeks: null, tidings: [] });

/** Where people wait for a match: nothing is lost when it is gone to. */
const WAITING = ['/', '/lobby'];
/** Matches whose beginning is known: it was told, or they were gone to. */
const met = new Set<string>();

/** Listen, as whoever this browser is now. */
export function listen(): () => void {
  let before: Status = 'connecting';
  const turnTo = (status: Status) => {
    if (status === 'open' && before !== 'open') void catchUp();
    before = status;
  };
  const socket = new Socket<FromLobby, Pong>({ url: () => '/socket/lobby', hear, status: turnTo });
  return () => socket.close();
}

/** Ask who I am, and what has begun while nobody listened. */
export async function catchUp(): Promise<void> {
  for (const match of await refresh()) void begun(match);
}

/** Who has come to a match needs no tidings of it. */
export function arrive(match: string): void {
  met.add(match);
  forget(match);
}

/** The tidings of a match are heeded. */
export function forget(match: string): void {
  lobby.tidings = lobby.tidings.filter((one) => one.match !== match);
}

function hear(message: FromLobby): void {
  if (message.type === 'lobby') lobby.seeks = message.seeks;
  else if (message.type === 'begun') void begun(message.match);
  else if (message.type === 'your_turn') void tell(message.match, 'turn', (against) => `It is your turn in ${against}.`);
  else if (message.type === 'finished') void tell(message.match, 'end', (against) => `${against}: ${message.words}.`);
}

async function begun(match: string): Promise<void> {
  if (met.has(match)) return;
  met.add(match);
  if (route.path.startsWith('/join/')) replace(`/match/${match}`); // an invitation that was accepted is no place to come back to
  else if (WAITING.includes(route.path)) go(`/match/${match}`);
  else return tell(match, 'begin', (against) => `${against} has begun.`);
  play('begin');
}

/** Say what has happened in a match against somebody; whoever is there sees it anyway. */
async function tell(match: string, sound: Sound, words: (against: string) => string): Promise<void> {
  void catchUp();
  const against = await opponent(match).catch(() => null);
  if (!against || route.path === `/match/${match}`) return;
  forget(match);
  lobby.tidings = [...lobby.tidings, { match, words: words(against) }];
  announce(words(against));
  play(sound);
}

/** The game and whom I play it against; null against a machine or at one screen: such a match is never far. */
async function opponent(id: string): Promise<string | null> {
  const { game, seats, state } = await api.match(id);
  const other = state.players[1 - (seats[0] ?? 0)];
  if (seats.length !== 1 || !other || other.kind === 'machine') return null;
  return `${(await api.game(game)).title} against ${other.name}`;
}
