import type { ToReader } from "@/lib/readers/messages";

/** A reader that has not done what it must in this time does it later. */
const DONE_WITHIN_MS = 1_000;

/** What a reader must do and then acknowledge. */
export class Demands {
  readonly #send: (message: ToReader) => void;
  readonly #pending = new Map<number, () => void>();
  #latest = 0;

  constructor(send: (message: ToReader) => void) {
    this.#send = send;
  }

  /** Sends a message, and resolves once the reader has done it or has ended, or after a bounded time. */
  send(toMessage: (request: number) => ToReader): Promise<void> {
    const request = ++this.#latest;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#pending.delete(request);
        resolve();
      };
      const timer = setTimeout(done, DONE_WITHIN_MS);
      this.#pending.set(request, done);
      this.#send(toMessage(request));
    });
  }

  onDone(request: number): void {
    this.#pending.get(request)?.();
  }

  endAll(): void {
    for (const done of this.#pending.values()) done();
  }
}
