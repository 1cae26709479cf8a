/** A match as this page knows it: what the server has told, kept in step with it, and the ply that is looked at. */
import { announce } from './announce';
import { bySquare, sceneAfter, scenesOf, setsUp, touched, type Scene } from './history';
import { Line, type Refusal } from './line';
import type { ClocksFact, FromClient, FromServer, GameFact, MatchFact, Played, StateFact, StepFact } from './messages';
import { news } from './news';
import { settings } from './settings.svelte';
import { Socket, type Status } from './socket';
import { play } from './sound';

/** Milliseconds for a step of somebody else's turn, and for the whole of it; timers come late now and then. */
const LEG = 340;
const LONGEST = 1450;
const FRAME = 16;

/** How a match comes to a page: over a socket, or as it is, to be replayed. */
export class LiveMatch {
  readonly game: GameFact;
  readonly line: Line;
  match = $state.raw<MatchFact | null>(null);
  status = $state<Status>('connecting');
  /** How long the network takes there and back, in milliseconds; null while nobody has measured it. */
  lag = $state<number | null>(null);
  /** How many turns the board shows; null: all of them. */
  at = $state<number | null>(null);
  /** The board in the middle of an animation. */
  frame = $state.raw<Scene | null>(null);
  /** When the state and its clocks were told, by this page's own clock. */
  stateAt = $state(performance.now());
  clocksAt = $state(performance.now());
  /** The step that has just led to the board that is looked at. */
  private step = $state.raw<StepFact | undefined>();
  private socket: Socket<FromServer, FromClient> | null = null;
  private version = -1;
  /** Whether this is the first word over a new connection: what waits is sent then. */
  private isBack = true;
  private animation = 0;

  readonly seats = $derived(this.match?.seats ?? []);
  readonly state = $derived(this.match?.state ?? null);
  readonly isPlaying = $derived(this.match?.state.status === 'playing');
  readonly player = $derived(this.match?.position.player ?? 0);
  readonly isMyTurn = $derived(this.isPlaying && this.seats.includes(this.player));
  readonly count = $derived(this.match?.turns.length ?? 0);
  readonly shownCount = $derived(this.at ?? this.count);
  readonly isNow = $derived(this.at === null);

  constructor(
    game: GameFact,
    private readonly id: string,
    private readonly onplayed: () => void,
    onrefused: (refusal: Refusal) => void,
  ) {
    this.game = game;
    this.line = new Line((message) => this.socket?.send(message) ?? false, onrefused);
  }

  /** Follow the match over its socket. */
  connect(): void {
    this.socket = new Socket<FromServer, FromClient>({
      url: () => `/socket/match/${this.id}${this.version >= 0 ? `?v=${this.version}` : ''}`,
      hear: (message) => this.hear(message),
      status: (status) => this.turnTo(status),
      lag: (ms) => (this.lag = ms),
    });
  }

  /** Show a match that nobody changes any more. */
  show(match: MatchFact): void {
    this.match = match;
    this.status = 'open';
  }

  /** The page goes. */
  leave(): void {
    this.animation += 1;
    this.socket?.close();
  }

  /** The board that is looked at, without what is being built. */
  get scene(): Scene {
    if (!this.match) return { pieces: new Map(), hands: [[], []] };
    if (this.frame) return this.frame;
    if (this.at !== null) return { ...sceneAfter(this.match, this.at), step: this.step };
    return { pieces: bySquare(this.match.position.pieces), hands: this.match.position.hands, step: this.step };
  }

  /** The squares of the turn that led to the board that is looked at. */
  get lastSquares(): Set<string> {
    const turn = this.match?.turns[this.shownCount - 1];
    return touched(turn && !setsUp(turn.steps) ? turn.steps : []);
  }

  /** The threatened squares of the board that is looked at. */
  get checkSquares(): string[] {
    if (!this.match || this.frame) return [];
    if (this.at === null) return this.match.position.check_squares;
    return (this.at ? this.match.turns[this.at - 1]?.check_squares : this.match.start.check_squares) ?? [];
  }

  /** Look at the board after so many turns. */
  lookAt(turns: number): void {
    this.stopAnimation();
    const bounded = Math.max(0, Math.min(turns, this.count));
    const turn = this.match?.turns[bounded - 1];
    this.step = bounded === this.shownCount + 1 ? turn?.steps.at(-1) : undefined;
    this.at = bounded === this.count ? null : bounded;
    announce(turn ? turn.sentence : 'The beginning.');
  }

  private turnTo(status: Status): void {
    if (status === 'lost') {
      this.isBack = true;
      this.lag = null;
      this.line.lost();
    }
    this.status = status;
  }

  private hear(message: FromServer): void {
    if (message.type === 'snapshot') this.restart(message.match, message.v);
    else if (message.type === 'changed' && message.v === this.version) this.changed(message.state); // the clocks, after a reconnect
    else if ('v' in message && message.type !== 'ack') this.inOrder(message.v, () => this.heed(message));
    else if (message.type === 'ack') {
      if (message.clocks) this.tellClocks(message.clocks);
      this.line.answer(message);
    } else if (message.type === 'follows' || message.type === 'because' || message.type === 'refused') {
      this.line.answer(message);
    }
    if (this.isBack) {
      this.isBack = false;
      this.line.resume();
    }
  }

  private restart(match: MatchFact, version: number): void {
    const before = this.match;
    const isSame = before?.position.key === match.position.key && before.turns.length === match.turns.length;
    this.stopAnimation();
    this.version = version;
    this.match = match;
    this.step = undefined;
    if (this.at !== null && this.at >= match.turns.length) this.at = null;
    this.told();
    if (!before) announce(match.position.words);
    else this.tellNews(before, match);
    // What is being built stays, unless the match has gone on.
    if (!isSame || match.state.status !== 'playing') this.onplayed();
  }

  private inOrder(version: number, heed: () => void): void {
    if (version <= this.version) return;
    if (this.version >= 0 && version > this.version + 1) {
      this.socket?.reopen();
      return;
    }
    this.version = version;
    heed();
  }

  private heed(message: Extract<FromServer, { type: 'played' | 'changed' | 'said' }>): void {
    if (!this.match) return;
    if (message.type === 'played') this.played(message);
    else if (message.type === 'changed') this.changed(message.state);
    else {
      this.match = { ...this.match, chat: [...this.match.chat, message.line] };
      if (message.line.seat === null || !this.seats.includes(message.line.seat)) announce(`${message.line.name}: ${message.line.text}`);
    }
  }

  private played({ turn, position, choice, state }: Played): void {
    const match = this.match as MatchFact;
    const before = { pieces: bySquare(match.position.pieces), hands: match.position.hands };
    this.match = { ...match, turns: [...match.turns, turn], position, choice, state };
    this.told();
    if (this.isNow) this.step = turn.steps.at(-1);
    const isMine = this.seats.includes(turn.player);
    if (!isMine && this.isNow) void this.animate(before, turn.steps);
    announce(turn.sentence);
    this.sound(turn.steps, position.in_check, state);
    this.onplayed();
  }

  private changed(state: StateFact): void {
    const match = this.match as MatchFact;
    const wasPlaying = match.state.status === 'playing';
    this.match = { ...match, state, choice: state.status === 'playing' ? match.choice : null };
    this.told();
    this.tellNews(match, this.match);
    if (wasPlaying && state.status !== 'playing') {
      announce(state.outcome?.words ?? 'The match is over.');
      play('end');
      this.onplayed();
    }
  }

  private told(): void {
    this.stateAt = this.clocksAt = performance.now();
  }

  /** Say what the other side wants, or that it has gone. */
  private tellNews(before: MatchFact, now: MatchFact): void {
    const heard = news(before, now, this.game.players);
    if (heard.length) play('offer');
    heard.forEach(announce);
  }

  private tellClocks(clocks: ClocksFact): void {
    const match = this.match;
    if (!match) return;
    this.match = { ...match, state: { ...match.state, clocks } };
    this.clocksAt = performance.now();
  }

  private sound(steps: StepFact[], isCheck: boolean, state: StateFact): void {
    const last = steps.findLast((step) => step.does !== 'pass');
    if (state.status !== 'playing') play('end');
    else if (isCheck) play('check');
    else if (last && last.does !== 'pass') play(last.does);
    if (document.hidden && this.isMyTurn) play('turn');
  }

  private async animate(before: Scene, steps: StepFact[]): Promise<void> {
    const moving = steps.filter((step) => step.changes.length);
    if (!settings.motion || setsUp(steps) || !moving.length) return;
    const run = ++this.animation;
    const leg = Math.min(LEG, LONGEST / moving.length);
    this.frame = before;
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await wait(FRAME);
    for (const scene of scenesOf(before, moving)) {
      if (run !== this.animation) return;
      this.frame = scene;
      await wait(leg);
    }
    if (run === this.animation) this.frame = null;
  }

  /** Show the board as it is: somebody who touches it does not wait. */
  stopAnimation(): void {
    this.animation += 1;
    this.frame = null;
  }
}
