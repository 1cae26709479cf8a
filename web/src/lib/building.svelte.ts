/** The turn that a person is building: touches, actions, what follows them; sent when it is whole. */
import { announce } from './announce';
import { bySquare, guess, touched, type Scene } from './history';
import { Refusal } from './line';
import type { LiveMatch } from './match.svelte';
import type { ChoiceFact, FollowsFact } from './messages';
import { settings } from './settings.svelte';
import { play } from './sound';
import { beginning, explore, goesOn, offered, pending, touch, type Does, type Way } from './turnbuilder';

/** One for each match page. */
export class Building {
  actions = $state.raw<number[]>([]);
  touches = $state.raw<string[]>([]);
  ways = $state.raw<Way[]>([]);
  /** Two routes to the same square, to choose from. */
  routes = $state.raw<Way[]>([]);
  /** What follows the actions; null until the server has told. */
  follows = $state.raw<FollowsFact | null>(null);
  words = $state('');
  nearest = $state.raw<string[]>([]);
  isSending = $state(false);
  private guessed = $state.raw<Scene | null>(null);
  /** Touched while the server was still telling what follows, or where a piece can go: a quick hand loses nothing. */
  private early: string[] = [];
  private isFinding = false;
  private answers = new Map<string, FollowsFact>();

  readonly choice = $derived.by<ChoiceFact | null>(() => {
    if (!this.live.isMyTurn || this.isSending) return null;
    return this.actions.length ? (this.follows?.choice ?? null) : (this.live.match?.choice ?? null);
  });
  readonly isPending = $derived(this.actions.length > 0);
  /** Whether the turn may be sent as it stands; `finish` may be needed. */
  readonly canSend = $derived(this.isPending && !this.isSending && !!this.choice && (this.choice.is_whole || this.choice.finish !== null));
  readonly next = $derived.by<Map<string, Does | 'way'>>(() =>
    this.choice && this.touches.length ? offered(this.choice.actions, this.touches, this.ways) : new Map<string, Does | 'way'>(),
  );
  /** An action that is complete though its touches could go on. */
  readonly short = $derived(this.choice && this.touches.length > 1 ? pending(this.choice, this.touches) : null);

  constructor(private readonly live: LiveMatch) {}

  /** The board with what is being built on it; null where nothing is. */
  get scene(): Scene | null {
    if (!this.isPending) return null;
    if (!this.follows) return this.guessed;
    const { position, steps } = this.follows;
    return { pieces: bySquare(position.pieces), hands: position.hands, step: steps.at(-1) };
  }

  /** The squares that the unsent turn has changed. */
  get squares(): Set<string> {
    return this.follows ? touched(this.follows.steps) : new Set();
  }

  /** A square, or a letter in hand, is touched. */
  touch(square: string): void {
    this.forgetWords();
    if (!this.live.isNow) return this.live.lookAt(this.live.count);
    if (!this.live.isPlaying) return;
    if (!this.live.isMyTurn) return this.say(this.live.seats.length ? `It is not your turn: ${this.live.match?.position.words}.` : 'You are watching this match.');
    if (!this.choice) {
      if (!this.isSending) this.early.push(square);
      return;
    }
    const { actions } = this.choice;
    if (this.isPending && !actions.length) return this.say('The turn is complete: send it, or take it back.');
    const isOnly = !this.touches.length && beginning(actions, [square]).length === 1 && actions.length === 1;
    const reply = touch(this.choice, this.touches, square, this.ways);
    this.routes = reply.kind === 'routes' ? reply.ways : [];
    if (reply.kind === 'made') void this.make(reply.actions, isOnly);
    else if (reply.kind === 'released') this.release();
    else if (reply.kind === 'touched') {
      this.early = [];
      this.hold(reply.touches);
    }
    else if (reply.kind === 'routes') this.say('More than one way leads to that square: touch a square on the way you mean.');
    else if (this.isFinding) this.early.push(square);
    else void this.explain(reply.touches);
  }

  /** Take the shorter action where others could go on. */
  done(): void {
    if (this.short) void this.make([this.short.id], false);
  }

  /** Let go of what is held. */
  release(): void {
    this.touches = [];
    this.ways = [];
    this.routes = [];
    this.early = [];
    this.isFinding = false;
  }

  /** Take back the last action that was built, or those that were made in one; the server has told what was before. */
  undo(): void {
    let kept = this.actions.slice(0, -1);
    while (kept.length && !this.answers.has(kept.join())) kept = kept.slice(0, -1);
    this.goBack(kept, 'Step taken back.');
  }

  /** Take back the whole turn that was built. */
  reset(): void {
    this.goBack([], 'The turn is taken back.');
  }

  /** Forget everything: the match has gone on. */
  clear(): void {
    this.release();
    this.forgetWords();
    this.actions = [];
    this.follows = null;
    this.guessed = null;
    this.answers.clear();
    this.isSending = false;
  }

  /** Send the turn as it stands. */
  async send(): Promise<void> {
    if (!this.canSend || !this.choice) {
      if (this.choice?.problem) this.say(this.choice.problem);
      return;
    }
    await this.sendActions(this.choice.is_whole ? this.actions : [...this.actions, ...(this.choice.finish ?? [])]);
  }

  /** Make an action without touches: a pass. */
  pass(id: number): void {
    void this.make([id], false);
  }

  /** A turn as people write it. */
  async typed(text: string): Promise<boolean> {
    const { match } = this.live;
    if (!match) return false;
    this.forgetWords();
    try {
      const answer = await this.live.line.request({ type: 'typed', ply: match.position.ply, text });
      if (answer.type !== 'follows') return false;
      this.release();
      this.answers.set(answer.follows.actions.join(), answer.follows);
      this.actions = answer.follows.actions;
      this.follows = answer.follows;
      if (settings.confirm) this.tellStep();
      else await this.sendActions(this.actions);
      return true;
    } catch (fault) {
      this.refuse(fault);
      return false;
    }
  }

  /** Send the whole turn; the server's clock counts until it is there. */
  async sendActions(actions: number[]): Promise<void> {
    const { match } = this.live;
    if (!match) return;
    this.isSending = true;
    const { ply, key } = match.position;
    try {
      await this.live.line.request({ type: 'turn', ply, key, actions });
      if (this.live.match?.position.ply !== ply) this.clear();
    } catch (fault) {
      this.clear();
      this.refuse(fault);
    }
  }

  private hold(touches: string[]): void {
    this.touches = touches;
    this.ways = [];
    this.isFinding = false;
    if (touches.length === 1 && this.live.game.has_long_turns) void this.findWays(touches[0] as string);
  }

  private async findWays(origin: string): Promise<void> {
    const [choice, begun] = [this.choice, this.actions];
    const captures = choice && beginning(choice.actions, [origin]).some((action) => action.does === 'capture');
    if (!captures) return;
    this.isFinding = true;
    const ways = await explore(choice, origin, async (more) => (await this.ask([...begun, ...more])).choice).catch(() => []);
    if (this.touches[0] !== origin || this.actions !== begun) return;
    this.isFinding = false;
    this.ways = ways;
    this.touchEarly();
  }

  private touchEarly(): void {
    for (const square of this.early.splice(0)) this.touch(square);
  }

  private async make(ids: number[], isOnly: boolean): Promise<void> {
    const [choice, before] = [this.choice as ChoiceFact, this.actions];
    const first = choice.actions.find((action) => action.id === ids[0]);
    const shown = this.scene ?? this.live.scene;
    this.release();
    this.actions = [...this.actions, ...ids];
    this.follows = null;
    this.guessed = first && ids.length === 1 ? guess(shown, first.touches, this.live.player) : shown;
    if (!this.live.game.has_long_turns && !settings.confirm) return this.sendActions(this.actions);
    const built = this.actions;
    const follows = await this.ask(built).catch((fault: unknown) => this.refuse(fault));
    if (this.actions !== built) return;
    if (!follows) return this.restore(before);
    this.follows = follows;
    play(first && first.does !== 'pass' ? first.does : 'move');
    await this.goOn(follows, isOnly);
    if (this.isPending && !this.isSending) this.tellStep();
    this.touchEarly();
  }

  /** After an action: a forced capture goes on by itself; a complete turn is sent unless it waits for Send. */
  private async goOn({ choice, steps }: FollowsFact, isOnly: boolean): Promise<void> {
    const last = steps.at(-1)?.touches.at(-1) ?? '';
    if (isOnly && choice.actions.length === 1 && choice.actions[0] && goesOn(choice, last)) {
      return this.make([choice.actions[0].id], true);
    }
    if (goesOn(choice, last)) this.hold([last]);
    const isCounted = this.live.match?.choice?.actions_left != null;
    if (choice.is_whole && !choice.actions.length && !settings.confirm && !isCounted) await this.sendActions(this.actions);
  }

  private async explain(touches: string[]): Promise<void> {
    const { match } = this.live;
    if (!match) return;
    play('refused');
    if (touches.length > 1) this.release();
    try {
      const answer = await this.live.line.request({ type: 'why', ply: match.position.ply, actions: this.actions, touches });
      if (answer.type === 'because') this.say(answer.words);
    } catch (fault) {
      this.refuse(fault);
    }
  }

  private async ask(actions: number[]): Promise<FollowsFact> {
    const match = this.live.match;
    if (!match) throw new Refusal('The match is not there yet.', 'impossible');
    const known = this.answers.get(actions.join());
    if (known) return known;
    const answer = await this.live.line.request({ type: 'ask', ply: match.position.ply, actions });
    if (answer.type !== 'follows') throw new Refusal('The server answered something else.', 'impossible');
    if (this.live.match?.position.key === match.position.key) this.answers.set(actions.join(), answer.follows);
    return answer.follows;
  }

  private goBack(actions: number[], words: string): void {
    this.release();
    this.forgetWords();
    this.restore(actions);
    announce([words, ...this.standing()].join(' '));
  }

  private restore(actions: number[]): void {
    this.actions = actions;
    this.guessed = null;
    this.follows = this.answers.get(actions.join()) ?? null;
  }

  /** Tell the last step to people who listen, and how the turn stands that is not sent. */
  private tellStep(): void {
    const step = this.follows?.steps.at(-1);
    if (step) announce([`${step.touches.join(' to ') || 'Passed'}.`, ...this.standing()].join(' '));
  }

  /** How the turn stands, in sentences: what is left of it, and whether it can be sent. */
  private standing(): string[] {
    const { choice } = this;
    if (!choice) return [];
    const left = choice.actions_left;
    const counted = left === null ? [] : [`${left} ${left === 1 ? 'step' : 'steps'} left.`];
    if (!this.isPending) return counted;
    return [...counted, choice.problem ? `It cannot be sent: ${choice.problem}.` : 'Not sent yet.'];
  }

  private refuse(fault: unknown): void {
    if (!(fault instanceof Refusal)) throw fault;
    this.nearest = fault.nearest;
    this.say(fault.message);
  }

  private forgetWords(): void {
    this.words = '';
    this.nearest = [];
  }

  /** Words for the person, seen below the board and heard once. */
  say(words: string): void {
    this.words = words.charAt(0).toUpperCase() + words.slice(1);
    announce(this.words);
  }
}
