import { SECOND_MS } from "@/lib/time/units";

/** What a simulated terminal sends: the body of a push, before it is JSON. */
export interface SimulatedBatch {
  readonly boot_id: string;
  readonly seq: number;
  readonly sent_gmt: number;
  readonly made_gmt: number;
  readonly broker: string;
  readonly ticks: readonly { readonly s: string; readonly b: string; readonly a: string; readonly t: number }[];
}

interface Options {
  readonly bootId: string;
  readonly symbol?: string;
  /** Trade-server time less UTC. */
  readonly offsetMs?: number;
  /** UTC milliseconds of the first batch. */
  readonly startMs: number;
}

/** A simulated program in a terminal: one batch a second, with two ticks. Its trade server's clock can be set. */
export class SimulatedTerminal {
  offsetMs: number;
  nowMs: number;
  readonly #options: Options;
  #seq = 0;

  constructor(options: Options) {
    this.#options = options;
    this.offsetMs = options.offsetMs ?? 0;
    this.nowMs = options.startMs;
  }

  /** Builds the next batch. */
  next(): SimulatedBatch {
    this.nowMs += SECOND_MS;
    const seq = ++this.#seq;
    const { bootId, symbol = "EURUSD" } = this.#options;
    const tick = (ageMs: number, points: number) => ({
      ...{ s: symbol, b: (1.085 + points / 1e5).toFixed(5), a: (1.0852 + points / 1e5).toFixed(5) },
      t: this.nowMs - ageMs + this.offsetMs,
    });
    const ticks = [tick(600, seq % 50), tick(200, (seq % 50) + 1)];
    return { boot_id: bootId, seq, sent_gmt: this.nowMs, made_gmt: this.nowMs, broker: "Broker-Live", ticks };
  }

  /** Leaves batches out, as a terminal does whose list of waiting batches is full. */
  skip(count: number): void {
    this.#seq += count;
  }
}
