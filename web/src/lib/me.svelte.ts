/** Who this browser is to the server, and the news of the lobby's socket, for every page. */
import * as api from './api';
import type { FromLobby, LobbySeek, MeFact, Pong } from './messages';
import { go, replace, route } from './router.svelte';
import { Socket } from './socket';
import { play } from './sound';

export const meStore = $state<{ me: MeFact | null; seeks: LobbySeek[] | null; people: number }>({
  me: null,
  seeks: null,
  people: 0,
});

/** Ask who I am. */
export async function refresh(): Promise<void> {
  meStore.me = await api.me().catch(() => meStore.me);
}

/** Keep who I am, as another request has told it. */
export function know(me: MeFact): void {
  meStore.me = me;
}

/** Listen to the lobby while a page wants it; a match of mine that begins is gone to. */
export function listen(): () => void {
  const socket = new Socket<FromLobby, Pong>({ url: () => '/socket/lobby', hear, status: () => {} });
  return () => socket.close();
}

function hear(message: FromLobby): void {
  if (message.type === 'lobby') {
    meStore.seeks = message.seeks;
    meStore.people = message.people;
  } else if (message.type === 'begun') {
    play('begin');
    // An invitation that was accepted is no place to come back to.
    if (route.path.startsWith('/join/')) replace(`/match/${message.match}`);
    else if (!route.path.startsWith('/match/')) go(`/match/${message.match}`);
  } else if (message.type === 'your_turn' || message.type === 'finished') {
    void refresh();
  }
}
