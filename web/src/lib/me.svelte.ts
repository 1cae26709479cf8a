/** Who this browser is to the server, and the matches it plays. */
import * as api from './api';
import type { MeFact } from './messages';

/** `me` is null until the server has been asked. */
export const meStore = $state<{ me: MeFact | null }>({ me: null });
const NOBODY: MeFact = { person: null, playing: [], invitations: [] };

/** Ask who I am; the matches that the same person was not playing when it was asked before. */
export async function refresh(): Promise<string[]> {
  const told = await api.me().catch(() => null);
  const before = meStore.me;
  meStore.me = told ?? before ?? NOBODY;
  if (!before || !told || !isSame(before, told)) return [];
  const known = new Set(before.playing.map(({ id }) => id));
  return told.playing.map(({ id }) => id).filter((id) => !known.has(id));
}

/** Whether it is the same person, who may have become a guest of this browser meanwhile. */
function isSame({ person }: MeFact, told: MeFact): boolean {
  return person ? person.name === told.person?.name : told.person?.kind !== 'account';
}

/** Keep who I am, as another request has told it. */
export function know(me: MeFact): void {
  meStore.me = me;
}
