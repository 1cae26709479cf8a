/** Everything around a board that a person plays or looks at: the match, the turn in hand, the view, what is pointed at. */
import { follow } from '../board/drag';
import { facing, type Arrow, type View } from '../board/view';
import * as api from './api';
import { announce } from './announce';
import { Army } from './army.svelte';
import { Building } from './building.svelte';
import type { Scene } from './history';
import { LiveMatch } from './match.svelte';
import type { GameFact, MatchFact, PieceFact } from './messages';
import { origins, type Does } from './turnbuilder';

/** A piece in the air. */
export interface Lifted {
  touch: string;
  piece: PieceFact;
  x: number;
  y: number;
}

const DOES_WORDS: Record<Does | 'way', string> = {
  move: 'can go here',
  capture: 'can capture here',
  drop: 'can be dropped here',
  push: 'push',
  pass: 'pass',
  way: 'can capture on to here',
};

export class Table {
  readonly live: LiveMatch;
  readonly building: Building;
  army = $state<Army | null>(null);
  view = $state.raw<View>({ quarterTurns: 0, mirrored: false });
  drawn = $state.raw<Arrow[]>([]);
  private looked = $state.raw<{ touch: string; hand: number | null } | null>(null);
  lifted = $state.raw<Lifted | null>(null);

  readonly isSetup = $derived(this.army !== null);
  readonly scene = $derived.by<Scene>(() => {
    const scene = (this.live.isNow && !this.live.frame ? this.building.scene : null) ?? this.live.scene;
    return this.army && this.live.isNow ? this.army.on(scene) : scene;
  });
  /** The piece that somebody looks at, on the board or in a hand. */
  readonly lookedAt = $derived.by<PieceFact | null>(() => {
    if (!this.looked) return null;
    const { touch, hand } = this.looked;
    return hand === null ? (this.scene.pieces.get(touch) ?? null) : { square: '', player: hand, letter: touch };
  });
  readonly held = $derived.by<string[]>(() => (this.army?.held ? [this.army.held] : this.building.touches));
  readonly marks = $derived.by<Map<string, Does | 'way'>>(() => (this.live.isNow ? this.building.next : new Map()));
  readonly active = $derived.by<Set<string>>(() => {
    if (this.army) return new Set(this.army.setup.squares);
    return this.building.choice && this.live.isNow ? origins(this.building.choice) : new Set();
  });
  readonly arrows = $derived.by<Arrow[]>(() => {
    const routes = this.building.routes.flatMap(({ touches }) =>
      touches.slice(1).map((to, at) => ({ from: touches[at] as string, to, kind: 'route' as const })),
    );
    const known = new Map(routes.map((arrow) => [arrow.from + arrow.to, arrow]));
    return [...this.drawn, ...known.values()];
  });

  constructor(
    readonly game: GameFact,
    match: MatchFact,
    /** The record that the match was read from; null for a match of this site. */
    readonly record: string | null = null,
  ) {
    this.live = new LiveMatch(
      game,
      match.id,
      () => this.refresh(),
      (refusal) => this.building.say(refusal.message),
    );
    this.building = new Building(this.live);
    this.view = facing(match.seats.length === 1 ? (match.seats[0] as number) : 0);
    this.live.show(match);
    if (record === null) this.live.connect();
    this.refresh();
  }

  /** The match has changed: drop what belonged to the board before. */
  private refresh(): void {
    this.building.clear();
    this.drawn = [];
    this.lifted = null;
    void this.prepareArmy();
  }

  /** A person's army: theirs to set up now, or, while the other side sets up, prepared beforehand. */
  private async prepareArmy(): Promise<void> {
    const { match } = this.live;
    const seat = match?.seats.find((one) => one === match.position.player) ?? match?.seats[0];
    if (!match || seat === undefined || match.state.status !== 'playing') {
      this.army = null;
      return;
    }
    const setup = match.choice?.setup ?? (await this.setupToCome(match, seat));
    if (this.live.match?.position.key !== match.position.key) return; // the match has gone on meanwhile
    if (!setup) this.army = null;
    else if (this.army?.player !== seat) this.army = new Army(setup, seat);
  }

  private async setupToCome(match: MatchFact, seat: number) {
    const hasMoved = match.turns.some((turn) => turn.player === seat);
    if (hasMoved || seat === match.position.player || !this.game.has_long_turns) return null;
    if (this.army) return this.army.setup;
    const rules = api.rulesOf(match.options);
    const first = await api.position(this.game.name, { rules }).catch(() => null);
    if (!first?.choice.setup) return null;
    const actions = new Army(first.choice.setup, first.position.player).actions.join();
    const text = (await api.position(this.game.name, { rules, actions }).catch(() => null))?.position.text;
    return text ? ((await api.position(this.game.name, { rules, text }).catch(() => null))?.choice.setup ?? null) : null;
  }

  /** Send the army. */
  async ready(): Promise<void> {
    if (this.army) await this.building.sendActions(this.army.actions);
  }

  /** Look at a square, or at a letter in a player's hand, or away from it. */
  look(touch: string, isLooked: boolean, hand: number | null = null): void {
    if (isLooked) this.looked = { touch, hand };
    else if (this.looked?.touch === touch && this.looked.hand === hand) this.looked = null;
  }

  touch(touch: string): void {
    this.live.stopAnimation();
    if (this.army && this.live.isNow) {
      const { army } = this;
      if (!army.touch(touch)) this.building.say('Your army stands on the marked squares: touch two pieces to swap them.');
      else if (!army.held) announce('Swapped.');
      return;
    }
    this.building.touch(touch);
  }

  /** A pointer goes down on a piece: it may be dragged. */
  lift(event: PointerEvent, touch: string): void {
    const piece = this.scene.pieces.get(touch) ?? { square: '', player: this.live.player, letter: touch };
    const isHeld = this.held.length === 1 && this.held[0] === touch;
    follow(event, {
      begin: () => {
        // A piece that cannot move says why when it is let go; a finger there scrolls.
        if (!this.active.has(touch)) return event.pointerType === 'mouse' && this.scene.pieces.has(touch);
        if (!isHeld) this.touch(touch);
        this.lifted = { touch, piece, x: event.clientX, y: event.clientY };
        return true;
      },
      move: (x, y) => {
        if (this.lifted) this.lifted = { touch, piece, x, y };
      },
      drop: (target) => {
        if (!this.lifted) this.touch(touch);
        else if (target && target !== touch && this.held.length) this.touch(target);
        this.lifted = null;
      },
    });
  }

  draw(from: string, to: string): void {
    const others = this.drawn.filter((arrow) => arrow.from !== from || arrow.to !== to);
    this.drawn = others.length < this.drawn.length ? others : [...others, { from, to, kind: 'drawn' }];
  }

  turn(quarters: number): void {
    this.view = { ...this.view, quarterTurns: (this.view.quarterTurns + quarters) % 4 };
  }

  /** What a piece is called. */
  name(piece: PieceFact): string {
    const kind = this.game.kinds.find((one) => one.letter === piece.letter);
    return `${this.game.players[piece.player]} ${kind?.name ?? piece.letter}`;
  }

  /** What a screen reader says of a square. */
  say = (square: string): string => {
    const piece = this.scene.pieces.get(square);
    const fact = this.game.board.squares.find((one) => one.name === square);
    const does = this.marks.get(square);
    return [
      square,
      piece ? this.name(piece) : 'empty',
      ...(fact?.zones ?? []),
      this.held.includes(square) ? 'selected' : '',
      does ? DOES_WORDS[does] : '',
      this.live.checkSquares.includes(square) ? 'in check' : '',
      this.building.squares.has(square) ? 'unsent' : '',
    ]
      .filter(Boolean)
      .join(', ');
  };
}
