/** An army before it is sent: ready at first, any two pieces swapped by touching them one after the other. */
import type { Scene } from './history';
import type { PieceFact, SetupFact } from './messages';

/** The letters with two exchanged. */
export function swapped(letters: string[], one: number, other: number): string[] {
  const next = [...letters];
  [next[one], next[other]] = [letters[other] as string, letters[one] as string];
  return next;
}

/** The army of one player. */
export class Army {
  letters = $state.raw<string[]>([]);
  held = $state<string | null>(null);

  constructor(
    readonly setup: SetupFact,
    readonly player: number,
  ) {
    this.letters = setup.ready[0]?.letters ?? [];
  }

  /** The turn that sets it up. */
  get actions(): number[] {
    return this.letters.map((letter) => this.setup.actions[letter] as number);
  }

  /** Take a piece, or swap it with the one that is held; false where no piece of the army stands. */
  touch(square: string): boolean {
    const at = this.setup.squares.indexOf(square);
    if (at < 0) return false;
    const held = this.held === null ? -1 : this.setup.squares.indexOf(this.held);
    if (held >= 0 && held !== at) this.letters = swapped(this.letters, held, at);
    this.held = held >= 0 ? null : square;
    return true;
  }

  /** Stand as a ready army does. */
  use(letters: string[]): void {
    this.letters = letters;
    this.held = null;
  }

  /** The board with the army on it. */
  on(scene: Scene): Scene {
    const pieces = new Map(scene.pieces);
    for (const [at, square] of this.setup.squares.entries()) {
      const piece: PieceFact = { square, player: this.player, letter: this.letters[at] as string };
      pieces.set(square, piece);
    }
    return { pieces, hands: scene.hands };
  }
}
