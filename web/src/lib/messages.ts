// Generated from the server's messages by `python -m menagerie.server.typescript`; do not edit.

export const MESSAGE_BYTES = 4096;

export const MOST_ACTIONS = 64;

export const MOST_SAID = 200;

export const NAME_RULE = 'a name has 2 to 20 letters from A to Z, digits, _ or -, and begins with a letter';

export const PASSWORD_RULE = 'a password has 8 to 200 characters';

/** A square: its name (empty where nothing is ever played), where it lies, and what it looks like. */
export interface SquareFact {
  name: string;
  file: number;
  rank: number;
  is_dark: boolean;
  tint: string | null;
  zones: string[];
}

/** The board. File 0 is on the left and rank 0 at the bottom, the first player's side. */
export interface BoardFact {
  files: number;
  ranks: number;
  squares: SquareFact[];
  /** Whether squares show their own names instead of letters and numbers along the edges. */
  names_inside: boolean;
}

/** A kind of piece: letter, name, how it moves in a sentence, and the pictures of both players' tokens. */
export interface KindFact {
  letter: string;
  name: string;
  about: string;
  art: string[];
  /** Steps as (files, ranks forward) for a small diagram; empty where the sentence must do. */
  dots: ([number, number])[];
  is_royal: boolean;
}

/** A rule option: its values, the default first, and a sentence about it. */
export interface OptionFact {
  name: string;
  title: string;
  about: string;
  values: string[];
}

/** Options that belong together under a name. */
export interface RuleSetFact {
  name: string;
  options: Record<string, string>;
}

/** Another way to look at the board: clockwise quarter turns, then whether top and bottom are exchanged. */
export interface ViewFact {
  name: string;
  quarter_turns: number;
  mirrored: boolean;
}

/** A setup to begin with: the letter for each square of `SetupFact.squares`. */
export interface ReadySetup {
  name: string;
  letters: string[];
}

/** A turn that sets up an army. Its actions are `actions[letter]` for each square in order. */
export interface SetupFact {
  squares: string[];
  actions: Record<string, number>;
  ready: ReadySetup[];
}

/** A game: what a card, the board component, forms and the rules panel are made of. */
export interface GameFact {
  name: string;
  title: string;
  goal: string;
  players: string[];
  /** Each player's token and the ink on it. */
  colours: ([string, string])[];
  board: BoardFact;
  kinds: KindFact[];
  options: OptionFact[];
  rule_sets: RuleSetFact[];
  views: ViewFact[];
  has_hands: boolean;
  /** Whether a turn may be several actions: ask what follows after each, and send the turn when it is whole. */
  has_long_turns: boolean;
  /** Whether players may offer draws. */
  can_draw: boolean;
  picture: string;
  levels: number;
  /** How long a game usually takes, in minutes. */
  minutes: number;
  difficulty: string;
}

/** A chapter of the rules, as safe HTML. */
export interface RulesSection {
  id: string;
  title: string;
  html: string;
}

/** The rules in words. */
export interface RulesFact {
  game: string;
  title: string;
  intro: string;
  sections: RulesSection[];
}

/** A piece on the board. */
export interface PieceFact {
  square: string;
  player: number;
  letter: string;
}

/** So many pieces of a kind. */
export interface CountFact {
  letter: string;
  count: number;
}

/** A legal action: its number, what a hand touches in order (square names; a letter in hand first), what it does. */
export interface ActionFact {
  id: number;
  touches: string[];
  does: 'capture' | 'drop' | 'move' | 'pass' | 'push';
}

/** A position that shows what a kind of piece can do: the piece on a square, and its actions there. */
export interface ExampleFact {
  letter: string;
  square: string;
  pieces: PieceFact[];
  actions: ActionFact[];
}

/** How a match ended: the winner (0, 1 or nobody), the reason, and a sentence. */
export interface OutcomeFact {
  winner: number | null;
  reason: string;
  words: string;
}

/** A position as the board shows it. */
export interface PositionFact {
  text: string;
  key: string;
  ply: number;
  player: number;
  pieces: PieceFact[];
  hands: CountFact[][];
  /** Each player's pieces that are gone since the match began; empty where pieces change hands instead. */
  lost: CountFact[][];
  in_check: boolean;
  check_squares: string[];
  outcome: OutcomeFact | null;
  /** Who is to move, or how it ended. */
  words: string;
}

/** What the player to move can do: the legal actions now, and whether the turn may end here. */
export interface ChoiceFact {
  actions: ActionFact[];
  /** Whether the actions so far are a whole turn that may be sent; the first question of a turn is never whole. */
  is_whole: boolean;
  /** Why a turn that ends here may not be sent, in words; empty where nothing is wrong. */
  problem: string;
  /** The action that passes what is left of the turn, to be sent after those so far; null where there is none. */
  finish: number[] | null;
  /** How many actions the turn may still have; null where nobody counts. */
  actions_left: number | null;
  /** Given while an army is being set up. */
  setup: SetupFact | null;
}

/** What a step changes on a square: the piece before and after, null for none. */
export interface ChangeFact {
  square: string;
  before: PieceFact | null;
  after: PieceFact | null;
}

/** One action of a turn as it is drawn: apply the changes forward or backward, animate the touches. */
export interface StepFact {
  touches: string[];
  does: 'capture' | 'drop' | 'move' | 'pass' | 'push';
  changes: ChangeFact[];
  /** Both hands after the step. */
  hands: CountFact[][];
}

/** A turn that was played: numbers, texts, a sentence for people who listen, and its steps. */
export interface TurnFact {
  ply: number;
  player: number;
  actions: number[];
  code: string;
  name: string;
  sentence: string;
  steps: StepFact[];
  check_squares: string[];
  spent_ms: number | null;
}

/** What follows some actions: steps made so far, the position after them and what can be done there. */
export interface FollowsFact {
  actions: number[];
  steps: StepFact[];
  position: PositionFact;
  choice: ChoiceFact;
}

/** A player's side of the clock at the moment of the message. While it runs, time is taken from `free_ms` first, then `bank_ms`, then `periods` of `period_ms` each; the flag falls after `flag_ms` (null: never). */
export interface FaceFact {
  free_ms: number;
  bank_ms: number;
  period_ms: number;
  periods: number;
  flag_ms: number | null;
}

/** Both sides of the clock; `running` is who loses time now. */
export interface ClocksFact {
  running: number | null;
  faces: FaceFact[];
}

/** Who sits on one side: a person, a guest, a bot, or a machine's level; and whether they are there. */
export interface SeatFact {
  name: string;
  kind: 'account' | 'bot' | 'guest' | 'machine' | 'nobody';
  level: number | null;
  rating: number | null;
  rating_change: number | null;
  is_here: boolean;
  /** Counts down while this absent player is to move; at 0 the other may claim. Null while they are here. */
  gone_ms: number | null;
}

/** Who has offered what: the player's number, or null. */
export interface OffersFact {
  draw: number | null;
  takeback: number | null;
  rematch: number | null;
}

/** A line that somebody said. */
export interface ChatFact {
  name: string;
  seat: number | null;
  text: string;
  at_ms: number;
}

/** Everything about a match that can change without a turn. */
export interface StateFact {
  status: 'aborted' | 'over' | 'playing';
  players: SeatFact[];
  clocks: ClocksFact | null;
  offers: OffersFact;
  outcome: OutcomeFact | null;
  /** What this client may claim now: a draw where it is to move, the end where the other has left. */
  claims: ('absent_draw' | 'absent_win' | 'draw')[];
  may_abort: boolean;
  /** Whether the machine thinks, takes too long, or had the server move in its place, no worker being free. */
  engine: 'busy' | 'idle' | 'stood_in' | 'thinking';
  /** At this server, where there are several. */
  watchers: number;
  /** The match that goes on from this one. */
  rematch: string | null;
}

/** A match as one client sees it. */
export interface MatchFact {
  id: string;
  game: string;
  options: Record<string, string>;
  /** The options in words, a sentence each. */
  rules: string[];
  /** The time control in words. */
  clock: string;
  is_rated: boolean;
  is_private: boolean;
  /** The sides that this client plays: none for a watcher, both at one screen. */
  seats: number[];
  start: PositionFact;
  turns: TurnFact[];
  position: PositionFact;
  /** Given to the player to move. */
  choice: ChoiceFact | null;
  state: StateFact;
  chat: ChatFact[];
  created_ms: number;
}

/** Something that is sent over a socket. */
export interface Message {
  type: 'Message';
}

/** A whole turn in the position of that ply and key. */
export interface Turn {
  type: 'turn';
  id: string;
  ply: number;
  key: string;
  actions: number[];
}

/** What follows these actions of the turn at this ply? Changes nothing; answered by `follows`. */
export interface Ask {
  type: 'ask';
  id: string;
  ply: number;
  actions: number[];
}

/** What turn does this text mean? Answered by `follows` with its actions, or `refused` with what may be meant. */
export interface Typed {
  type: 'typed';
  id: string;
  ply: number;
  text: string;
}

/** Why can these squares (or a letter in hand first) not be touched in this order? Answered by `because`. */
export interface Why {
  type: 'why';
  id: string;
  ply: number;
  actions: number[];
  touches: string[];
}

/** I give up. */
export interface Resign {
  type: 'resign';
  id: string;
}

/** I offer a draw, ask for my last turn back, or for another match. Accepts the same offer of the other. */
export interface Offer {
  type: 'offer';
  id: string;
  what: 'draw' | 'rematch' | 'takeback';
}

/** I decline the other's offer, or withdraw my own. */
export interface Decline {
  type: 'decline';
  id: string;
  what: 'draw' | 'rematch' | 'takeback';
}

/** I claim what `StateFact.claims` lists. */
export interface Claim {
  type: 'claim';
  id: string;
  what: 'absent_draw' | 'absent_win' | 'draw';
}

/** Let there be no match; possible before both players have made a turn. */
export interface Abort {
  type: 'abort';
  id: string;
}

/** A line of chat. */
export interface Say {
  type: 'say';
  id: string;
  text: string;
}

/** The answer to a ping, to be sent at once; it measures the lag. */
export interface Pong {
  type: 'pong';
  n: number;
}

/** The whole match; replaces whatever the client has. */
export interface Snapshot {
  type: 'snapshot';
  v: number;
  match: MatchFact;
}

/** A turn was played. The choice is there for the player who is next. */
export interface Played {
  type: 'played';
  v: number;
  turn: TurnFact;
  position: PositionFact;
  choice: ChoiceFact | null;
  state: StateFact;
}

/** Something other than the board has changed. */
export interface Changed {
  type: 'changed';
  v: number;
  state: StateFact;
}

/** Somebody said something. */
export interface Said {
  type: 'said';
  v: number;
  line: ChatFact;
}

/** What was asked for under this id is done and stored; for a turn, the ply it was played at and the clocks. */
export interface Ack {
  type: 'ack';
  id: string;
  v: number;
  ply: number;
  clocks: ClocksFact | null;
}

/** What was asked for under this id is not done, and nothing has changed. */
export interface Refused {
  type: 'refused';
  id: string | null;
  /** `late`: the match has gone on since (a snapshot follows); `limit`: too much too fast. */
  reason: 'illegal' | 'impossible' | 'late' | 'limit' | 'malformed' | 'over' | 'seat';
  words: string;
  /** Legal turns that a typed text may have meant. */
  nearest: string[];
}

/** The answer to `ask` and `typed`. */
export interface Follows {
  type: 'follows';
  id: string;
  ply: number;
  follows: FollowsFact;
}

/** The answer to `why`. */
export interface Because {
  type: 'because';
  id: string;
  words: string;
}

/** Are you there? Comes every few seconds; tells the lag that was measured last. */
export interface Ping {
  type: 'ping';
  n: number;
  lag_ms: number | null;
}

/** An open seek: what somebody wants to play, in words that both sides see before they accept. */
export interface LobbySeek {
  id: string;
  name: string;
  rating: number | null;
  game: string;
  title: string;
  options: Record<string, string>;
  /** The options in words, a sentence each. */
  rules: string[];
  /** Those of them that are not as usual. */
  unusual: string[];
  clock: string;
  colour: 'first' | 'random' | 'second';
  /** Which side whoever reads this will have. */
  colour_words: string;
  is_rated: boolean;
  is_private: boolean;
  is_mine: boolean;
  /** The match that has come of it. */
  match: string | null;
}

/** The open seeks, whenever they change. */
export interface Lobby {
  type: 'lobby';
  seeks: LobbySeek[];
  people: number;
}

/** A match of yours has begun, from a seek or a rematch. */
export interface Begun {
  type: 'begun';
  match: string;
  game: string;
}

/** It is your turn in a match of yours. */
export interface YourTurn {
  type: 'your_turn';
  match: string;
  game: string;
}

/** A match of yours is over. */
export interface Finished {
  type: 'finished';
  match: string;
  game: string;
  words: string;
}

/** Nobody counts. */
export interface NoClock {
  type: 'none';
}

/** Seconds for the match, and seconds added after each turn. */
export interface FischerClock {
  type: 'fischer';
  seconds: number;
  added: number;
}

/** Seconds for the match; each turn's first seconds are free. */
export interface DelayClock {
  type: 'delay';
  seconds: number;
  delay: number;
}

/** Seconds for the match, then so many periods, each lost only when a turn uses it up. */
export interface ByoyomiClock {
  type: 'byoyomi';
  seconds: number;
  period: number;
  periods: number;
}

/** Days for each turn. */
export interface DaysClock {
  type: 'days';
  days: number;
}

/** Time for each turn and a reserve, written M/R/P/L/G/T. */
export interface ReserveClock {
  type: 'reserve';
  text: string;
}

/** A rating in one game, with its 95 % interval, and what it was won from. */
export interface RatingFact {
  rating: number;
  plus_minus: number;
  games: number;
  is_provisional: boolean;
}

/** Somebody: ratings by game against people, and apart from them against machines. */
export interface PersonFact {
  name: string;
  kind: 'account' | 'bot' | 'guest';
  ratings: Record<string, RatingFact>;
  machine_ratings: Record<string, RatingFact>;
}

/** Who you are to the server; null before anything was done that needs a name. */
export interface MeFact {
  person: PersonFact | null;
  playing: MatchSummary[];
  /** Yours that nobody has accepted yet: only you see them, whoever has the link can accept them. */
  invitations: LobbySeek[];
}

/** A name and a password, to register or to log in. */
export interface Credentials {
  name: string;
  password: string;
}

/** A match against a level of the machine, or of two people at one screen; `position` is where to begin. */
export interface NewMatch {
  game: string;
  against: 'machine' | 'same_screen';
  level?: number;
  colour?: 'first' | 'random' | 'second';
  options?: Record<string, string>;
  clock?: ClockBody;
  position?: string | null;
}

/** A wish to play a person: open to all in the lobby, or private, for whoever has the link. */
export interface NewSeek {
  game: string;
  colour?: 'first' | 'random' | 'second';
  options?: Record<string, string>;
  clock?: ClockBody;
  is_rated?: boolean;
  is_private?: boolean;
}

/** The match that has begun. */
export interface Begin {
  match: string;
}

/** A match in a list. */
export interface MatchSummary {
  id: string;
  game: string;
  players: string[];
  /** The sides that you play. */
  seats: number[];
  status: 'aborted' | 'over' | 'playing';
  words: string;
  ply: number;
  is_your_turn: boolean;
  clock: string;
  created_ms: number;
}

/** Matches, the newest first; `before` asks for older ones. */
export interface MatchList {
  matches: MatchSummary[];
  before: string | null;
}

/** A turn as text, in people's form or machine form, at this ply. */
export interface TextTurn {
  ply: number;
  text: string;
}

/** A record to be replayed; `game` where the text does not name it. */
export interface RecordText {
  text: string;
  game?: string | null;
}

/** A token for a program; with `is_bot` the account is a bot's from now on. */
export interface NewToken {
  label: string;
  is_bot?: boolean;
}

/** A token; the secret is told once, when it is made. */
export interface TokenFact {
  id: string;
  label: string;
  secret: string | null;
  created_ms: number;
}

/** What was wrong, in words. */
export interface ErrorFact {
  error: string;
  nearest: string[];
}

/** Why something cannot be done, in words. */
export interface WhyFact {
  words: string;
}

/** The server: its version, and the figures a page shows. */
export interface ServerFact {
  version: string;
  people: number;
  matches: number;
  /** What each level is like, in words. */
  levels: string[];
}

/** A usual time control, in words and as it is sent back. */
export interface ClockPreset {
  words: string;
  clock: ClockBody;
}

export type FromClient =
  | Turn
  | Ask
  | Typed
  | Why
  | Resign
  | Offer
  | Decline
  | Claim
  | Abort
  | Say
  | Pong;

export type FromServer =
  | Snapshot
  | Played
  | Changed
  | Said
  | Ack
  | Refused
  | Follows
  | Because
  | Ping;

export type FromLobby =
  | Lobby
  | Begun
  | YourTurn
  | Finished
  | Ping;

export type ClockBody =
  | NoClock
  | FischerClock
  | DelayClock
  | ByoyomiClock
  | DaysClock
  | ReserveClock;
