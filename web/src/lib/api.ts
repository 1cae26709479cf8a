/** What the server answers over HTTP, each request a function. */
import type {
  Begin,
  ClockPreset,
  Credentials,
  ErrorFact,
  ExampleFact,
  FollowsFact,
  GameFact,
  LobbySeek,
  MatchFact,
  MatchList,
  MeFact,
  NewMatch,
  NewSeek,
  NewToken,
  PersonFact,
  RulesFact,
  ServerFact,
  TokenFact,
} from './messages';

/** What was wrong, in the server's words. */
export class ApiError extends Error {
  constructor(
    words: string,
    readonly status: number,
    readonly nearest: string[] = [],
  ) {
    super(words);
  }
}

async function request(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, init);
  } catch {
    throw new ApiError('The server cannot be reached. Is the network on?', 0);
  }
  if (response.ok) return response;
  const fault = (await response.json().catch(() => null)) as ErrorFact | null;
  throw new ApiError(fault?.error ?? `The server answered ${response.status}.`, response.status, fault?.nearest ?? []);
}

async function get<T>(path: string, query: Record<string, string | undefined> = {}): Promise<T> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return (await (await request(text ? `${path}?${text}` : path)).json()) as T;
}

async function post<T>(path: string, body: unknown = {}): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}

let gamesAsked: Promise<GameFact[]> | null = null;

/** The games there are; asked once, for they never change while the server runs. */
export function games(): Promise<GameFact[]> {
  gamesAsked ??= get<GameFact[]>('/games').catch((fault: unknown) => {
    gamesAsked = null;
    throw fault;
  });
  return gamesAsked;
}

/** One game by its name. */
export async function game(name: string): Promise<GameFact> {
  const found = (await games()).find((one) => one.name === name);
  if (!found) throw new ApiError(`There is no game called ${name}.`, 404);
  return found;
}

/** Options as the server reads them in an address. */
export const rulesOf = (options: Record<string, string>) => Object.entries(options).map(([name, value]) => `${name}=${value}`).join();

const examplesAsked = new Map<string, Promise<ExampleFact[]>>();

/** How the kinds of a game move under some rules, each in an example; asked once. */
export function examples(name: string, options: Record<string, string>): Promise<ExampleFact[]> {
  const rules = rulesOf(options);
  const asked = examplesAsked.get(`${name} ${rules}`) ?? get<ExampleFact[]>(`/games/${name}/examples`, { rules });
  examplesAsked.set(`${name} ${rules}`, asked);
  asked.catch(() => examplesAsked.delete(`${name} ${rules}`));
  return asked;
}

export const rules = (name: string) => get<RulesFact>(`/games/${name}/rules`);
export const position = (name: string, query: { text?: string; rules?: string; actions?: string }) =>
  get<FollowsFact>(`/games/${name}/position`, query);
export const clocks = (name: string) => get<ClockPreset[]>('/clocks', { game: name });
export const server = () => get<ServerFact>('/server');
export const me = () => get<MeFact>('/me');
export const register = (who: Credentials) => post<MeFact>('/register', who);
export const login = (who: Credentials) => post<MeFact>('/login', who);
export const logout = () => post<MeFact>('/logout');
export const tokens = () => get<TokenFact[]>('/tokens');
export const newToken = (wish: NewToken) => post<TokenFact>('/tokens', wish);
export const dropToken = (id: string) => request(`/tokens/${id}`, { method: 'DELETE' });
export const begin = (wish: NewMatch) => post<Begin>('/matches', wish);
export const match = (id: string) => get<MatchFact>(`/matches/${id}`);
export const record = async (id: string) => (await request(`/matches/${id}/record`)).text();
export const matches = (query: { person?: string; game?: string; before?: string }) => get<MatchList>('/matches', query);
export const seek = (wish: NewSeek) => post<LobbySeek>('/seeks', wish);
export const seekOf = (id: string) => get<LobbySeek>(`/seeks/${id}`);
export const accept = (id: string) => post<Begin>(`/seeks/${id}/accept`);
export const withdraw = (id: string) => request(`/seeks/${id}`, { method: 'DELETE' });
export const person = (name: string) => get<PersonFact>(`/people/${encodeURIComponent(name)}`);
export const leaders = (game: string) => get<PersonFact[]>(`/leaders/${encodeURIComponent(game)}`);
export const importRecord = (text: string) => post<MatchFact>('/records', { text });
