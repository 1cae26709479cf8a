/** Questions and commands over a match's socket: each has an id and is answered once; turns survive a lost connection. */
import type { Ack, Because, Follows, FromClient, Refused } from './messages';

export type Answer = Ack | Because | Follows;

/** A command before it has its id. */
export type Wish = FromClient extends infer One ? (One extends { id: string } ? Omit<One, 'id'> : never) : never;

/** The server's refusal, in its words. */
export class Refusal extends Error {
  constructor(
    words: string,
    readonly reason: Refused['reason'] | 'lost',
    readonly nearest: string[] = [],
  ) {
    super(words);
  }
}

interface Open {
  message: FromClient;
  resolve: (answer: Answer) => void;
  reject: (refusal: Refusal) => void;
}

/** What can be sent twice without harm: questions, and turns, which the server knows again by their ids. */
const REPEATABLE: FromClient['type'][] = ['turn', 'ask', 'typed', 'why'];

/** Keeps what is not answered yet. */
export class Line {
  private readonly open = new Map<string, Open>();
  private readonly name = Math.random().toString(36).slice(2, 8);
  private count = 0;

  constructor(
    private readonly send: (message: FromClient) => boolean,
    /** Told of a refusal that nobody waits for. */
    private readonly unasked: (refusal: Refusal) => void,
  ) {}

  /** Send a wish and wait for its answer; a Refusal where it is not granted. */
  request(wish: Wish): Promise<Answer> {
    this.count += 1;
    const id = `${this.name}${this.count}`;
    const message = { ...wish, id } as FromClient;
    return new Promise((resolve, reject) => {
      this.open.set(id, { message, resolve, reject });
      if (!this.send(message) && !REPEATABLE.includes(message.type)) this.fail(id);
    });
  }

  /** Take an answer to where it was waited for. */
  answer(message: Answer | Refused): void {
    const id = message.id ?? this.meant(message as Refused);
    const waiting = this.open.get(id);
    this.open.delete(id);
    if (message.type !== 'refused') waiting?.resolve(message);
    else (waiting?.reject ?? this.unasked)(new Refusal(message.words, message.reason, message.nearest));
  }

  /** What was refused where the server could not even read its id: the oldest, for it answers in order. */
  private meant({ reason }: Refused): string {
    const [oldest = ''] = reason === 'malformed' ? this.open.keys() : [];
    return oldest;
  }

  /** The connection is lost: what cannot be repeated has failed. */
  lost(): void {
    for (const [id, { message }] of this.open) if (!REPEATABLE.includes(message.type)) this.fail(id);
  }

  /** The connection is back: send again what was not answered. */
  resume(): void {
    for (const { message } of this.open.values()) this.send(message);
  }

  private fail(id: string): void {
    const waiting = this.open.get(id);
    this.open.delete(id);
    waiting?.reject(new Refusal('There is no connection just now. Please try again.', 'lost'));
  }
}
