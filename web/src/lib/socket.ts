/** A socket that comes back: it answers pings, notices silence, and opens itself anew. */

export type Status = 'connecting' | 'open' | 'lost' | 'closed';

/** What a socket is told to do; `url` is asked each time it opens. */
export interface Listener<From> {
  url: () => string;
  hear: (message: From) => void;
  status: (status: Status, code?: number) => void;
  /** The lag that the server has measured, in milliseconds. */
  lag?: (ms: number) => void;
}

const SILENCE = 9000;
/** How long a new connection may take: longer each time, for a slow network is a network too. */
const PATIENCE = [3000, 4500, 6500, SILENCE];
const WAITS = [500, 1000, 2000];
const FINAL_CODES = [4004];

interface Pinged {
  type: string;
  n?: number;
  lag_ms?: number | null;
}

/** Opens at once; `close` when the page goes. */
export class Socket<From extends { type: string }, To> {
  private socket: WebSocket | null = null;
  private tries = 0;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private again: ReturnType<typeof setTimeout> | undefined;
  private isDone = false;

  constructor(private readonly listener: Listener<From>) {
    addEventListener('offline', this.lose);
    addEventListener('online', this.hurry);
    this.open();
  }

  /** Whether a message can go out now. */
  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send if the socket is open; says whether it was. */
  send(message: To | { type: 'pong'; n: number }): boolean {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  /** Leave for good. */
  close(): void {
    this.isDone = true;
    removeEventListener('offline', this.lose);
    removeEventListener('online', this.hurry);
    this.drop(1000);
    this.listener.status('closed');
  }

  /** Open anew, for something was missed. */
  reopen(): void {
    this.drop(4000);
    this.tries = 0;
    this.open();
  }

  private open(): void {
    clearTimeout(this.again);
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}${this.listener.url()}`);
    this.socket = socket;
    socket.onopen = () => this.listen(SILENCE);
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as From & Pinged);
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event.code);
    };
    this.listen(nth(PATIENCE, this.tries));
  }

  private receive(message: From & Pinged): void {
    this.tries = 0;
    this.listener.status('open');
    this.listen(SILENCE);
    if (message.type === 'ping') this.pong(message);
    else this.listener.hear(message);
  }

  private pong({ n, lag_ms }: Pinged): void {
    this.send({ type: 'pong', n: n ?? 0 });
    if (typeof lag_ms === 'number') this.listener.lag?.(lag_ms);
  }

  private listen(most: number): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(this.lose, most);
  }

  private lose = (): void => {
    this.drop(4000);
    this.lost(0);
  };

  private hurry = (): void => {
    if (!this.isOpen && !this.isDone) this.reopen();
  };

  private lost(code: number): void {
    clearTimeout(this.quiet);
    if (this.isDone) return;
    if (FINAL_CODES.includes(code)) {
      this.isDone = true;
      this.listener.status('closed', code);
      return;
    }
    this.listener.status('lost', code);
    clearTimeout(this.again);
    this.again = setTimeout(() => this.open(), nth(WAITS, this.tries));
    this.tries += 1;
  }

  private drop(code: number): void {
    clearTimeout(this.quiet);
    clearTimeout(this.again);
    const old = this.socket;
    this.socket = null;
    if (old && old.readyState <= WebSocket.OPEN) old.close(code);
  }
}

/** The time for a try, or for the last one known. */
function nth(times: number[], tries: number): number {
  return times[Math.min(tries, times.length - 1)] as number;
}
