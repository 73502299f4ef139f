import { setTimeout } from "node:timers/promises";
import { cutInto, type Delivery, type Faults } from "@/e2e/venues/kit/faults";
import type { Wire } from "@/e2e/venues/kit/wires/wire";

/** Writes messages to one connection, one after another, as its faults say. */
export class Outbox {
  /** Splits later messages into pieces of so many bytes; 0 leaves that to the faults. */
  chunkBytes = 0;
  /** Collects what is to be written at once; null writes every message alone. */
  #together: Buffer[] | null = null;
  #writes: Promise<void> = Promise.resolve();

  constructor(
    private readonly wire: Wire,
    private readonly faults: Faults,
    /** Aborts when the connection has ended. */
    private readonly ended: AbortSignal,
  ) {}

  /** Resolves when everything so far is written and the socket takes more. */
  get written(): Promise<void> {
    return this.#writes;
  }

  add(message: Buffer): void {
    if (this.#together === null) this.#write(this.faults.plan(message));
    else this.#together.push(message);
  }

  /** Holds back what is added in `work`, then writes all of it at once. */
  async together(work: () => Promise<void>): Promise<void> {
    this.#together = [];
    await work();
    const messages: readonly Buffer[] = this.#together;
    this.#together = null;
    this.#write([{ messages, delayMs: 0 }]);
    await this.#writes;
  }

  /** Writes what the faults hold back. */
  flush(): void {
    this.#write(this.faults.flush());
  }

  #write(deliveries: readonly Delivery[]): void {
    const { chunkBytes } = this;
    const cut = (bytes: Buffer) => (chunkBytes > 0 ? cutInto(bytes, () => chunkBytes) : this.faults.split(bytes));
    for (const { messages, delayMs } of deliveries) {
      this.#writes = this.#writes.then(async () => {
        if (delayMs > 0) await sleep(delayMs, this.ended);
        if (!this.ended.aborted) await this.wire.write(messages, cut);
      });
    }
  }
}

/** Resolves after the time, or at once when the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
