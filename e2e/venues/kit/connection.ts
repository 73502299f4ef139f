import type { Faults } from "@/e2e/venues/kit/faults";
import { completeFix, createFixSession, followClient } from "@/e2e/venues/kit/fix-text";
import { isFixText, type Message, readMessage } from "@/e2e/venues/kit/messages";
import { Outbox, sleep } from "@/e2e/venues/kit/outbox";
import type { Opening, Wire } from "@/e2e/venues/kit/wires/wire";

/** What a client sent. */
export interface Received {
  /** Counts from 1. */
  readonly connection: number;
  readonly text: string;
  readonly message: Message;
}

/** Thrown by a connection's methods once it has ended. */
export class ConnectionEnded extends Error {
  constructor() {
    super("the connection has ended");
    this.name = "ConnectionEnded";
  }
}

/** The venue's end of one connection. Its messages pass through the faults. */
export class VenueConnection {
  /** How often `raw` or `send` was called. */
  #sent = 0;
  #silent = false;
  #broken = false;
  readonly #outbox: Outbox;
  readonly #ended = new AbortController();
  readonly #queue: Received[] = [];
  #wake: (() => void) | null = null;
  readonly #fix = createFixSession();

  constructor(
    /** Counts from 1. */
    readonly number: number,
    readonly opening: Opening,
    private readonly wire: Wire,
    private readonly faults: Faults,
    private readonly now: () => number,
  ) {
    this.#outbox = new Outbox(wire, faults, this.#ended.signal);
    this.#break();
  }

  get isOpen(): boolean {
    return !this.#ended.signal.aborted;
  }

  /** Whether the venue has stopped to send and to answer. */
  get isSilent(): boolean {
    return this.#silent;
  }

  /** Whether a fault has ended or silenced it. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /**
   * Sends a message: JSON text, or FIX as `35=W|…`, which is completed. Resolves when the socket takes more, so that a
   * loop is as fast as the client reads.
   */
  send(text: string): Promise<void> {
    return this.raw(isFixText(text) ? completeFix(text, this.#fix, this.now()) : text + this.wire.terminator);
  }

  /** Sends text unchanged. */
  raw(text: string): Promise<void> {
    if (!this.isOpen) return Promise.reject(new ConnectionEnded());
    if (this.#silent) return Promise.resolve();
    this.#sent++;
    this.#outbox.add(Buffer.from(text));
    this.#break();
    return this.#outbox.written;
  }

  /** Holds back what `send` sends in `work`, then writes all of it at once. */
  together(work: () => Promise<void>): Promise<void> {
    return this.#outbox.together(work);
  }

  /** The next message of the client. Rejects with ConnectionEnded if there is none. */
  async receive(): Promise<Received> {
    for (;;) {
      const received = this.#queue.shift();
      if (received !== undefined) return received;
      if (!this.isOpen) throw new ConnectionEnded();
      this.flush();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Waits. Rejects with ConnectionEnded if the connection ends meanwhile. */
  async wait(ms: number): Promise<void> {
    this.flush();
    await sleep(ms, this.#ended.signal);
    if (!this.isOpen) throw new ConnectionEnded();
  }

  /** Sends what the faults hold back. */
  flush(): void {
    if (!this.#silent) this.#outbox.flush();
  }

  answer(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.wire.answer === undefined) throw new Error("only an HTTP venue can answer with a status");
    this.wire.answer(status, headers);
  }

  ping(payload: string): void {
    if (this.wire.ping === undefined) throw new Error("only a WebSocket venue can ping");
    this.wire.ping(payload);
  }

  /** Splits later messages into pieces of so many bytes; 0 leaves them whole. */
  chunk(bytes: number): void {
    this.#outbox.chunkBytes = bytes;
  }

  /** Stops sending and answering. The connection remains open. */
  goSilent(): void {
    this.flush();
    this.#silent = true;
  }

  /** Closes the connection after everything was sent. `code` and `reason` are of a WebSocket. Silent, it does nothing. */
  async close(code: number | null = null, reason = ""): Promise<void> {
    if (this.#silent) return;
    this.flush();
    await this.#outbox.written;
    this.wire.close(code, reason);
  }

  /** Ends the connection without a goodbye, after everything was sent. Silent, it does nothing. */
  async reset(): Promise<void> {
    if (this.#silent) return;
    this.flush();
    await this.#outbox.written;
    this.wire.reset();
  }

  /** For the transport: takes a message of the client. `isAnswered` says whether a rule has dealt with it. */
  take(received: Received, isAnswered: boolean): void {
    if (received.message.kind === "fix") followClient(this.#fix, received.message);
    if (isAnswered) return;
    this.#queue.push(received);
    this.#wake?.();
  }

  /** For the transport: the connection has ended. */
  end(): void {
    this.#ended.abort();
    this.#wake?.();
  }

  read(text: string): Received {
    return { connection: this.number, text, message: readMessage(text) };
  }

  #break(): void {
    const broken = this.faults.breakAfter(this.#sent);
    if (broken === null || this.#broken) return;
    this.#broken = true;
    if (broken === "half-open") this.goSilent();
    else void this.reset();
  }
}
