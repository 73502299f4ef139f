import { SECOND_MS } from "@/lib/time/units";

interface Forming {
  readonly secondMs: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** A bar as it is sent, with its number in the sequence of all changes. */
export interface Numbered {
  readonly at: number;
  readonly json: string;
}

/** Bars of a symbol that are stored: a reader that comes back within this time misses none. */
const MAX_BARS = 60;
/** For so long bars are made after the last reader left. */
const AFTERWARDS_MS = 60 * SECOND_MS;

/**
 * The bars of the last seconds of each symbol, of served bids, by the second of the market clock in which a price came.
 * They are made only while a stream has them, and for a minute after.
 */
export class SecondBars {
  readonly #next: () => number;
  readonly #forming = new Map<string, Forming>();
  readonly #recent = new Map<string, Numbered[]>();
  #readers = 0;
  #leftAtMs = -Infinity;
  /** The first second that is complete. */
  #firstMs = Infinity;

  /** @param next gives the next number of the sequence */
  constructor(next: () => number) {
    this.#next = next;
  }

  addReader(nowMs: number): void {
    if (!this.isNeeded(nowMs)) {
      this.#forming.clear();
      this.#firstMs = Math.ceil(nowMs / SECOND_MS) * SECOND_MS;
    }
    this.#readers++;
  }

  removeReader(nowMs: number): void {
    this.#readers--;
    this.#leftAtMs = nowMs;
  }

  isNeeded(nowMs: number): boolean {
    return this.#readers > 0 || (nowMs >= this.#leftAtMs && nowMs < this.#leftAtMs + AFTERWARDS_MS);
  }

  onPrice(symbol: string, price: number, nowMs: number): void {
    const secondMs = Math.floor(nowMs / SECOND_MS) * SECOND_MS;
    const forming = this.#forming.get(symbol);
    if (forming === undefined || secondMs > forming.secondMs) {
      if (forming !== undefined) this.#close(symbol, forming);
      this.#forming.set(symbol, { secondMs, open: price, high: price, low: price, close: price, volume: 1 });
      return;
    }
    forming.high = Math.max(forming.high, price);
    forming.low = Math.min(forming.low, price);
    forming.close = price;
    forming.volume++;
  }

  /** Closes the bars whose second is over. */
  closeUntil(nowMs: number): void {
    for (const [symbol, forming] of this.#forming) {
      if (nowMs < forming.secondMs + SECOND_MS) continue;
      this.#forming.delete(symbol);
      this.#close(symbol, forming);
    }
  }

  #close(symbol: string, { secondMs, open, high, low, close, volume }: Forming): void {
    if (secondMs < this.#firstMs) return;
    const time = new Date(secondMs).toISOString();
    const json = `{"symbol":"${symbol}","time":"${time}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`;
    const recent = this.#recent.get(symbol) ?? [];
    recent.push({ at: this.#next(), json });
    if (recent.length > MAX_BARS) recent.shift();
    this.#recent.set(symbol, recent);
  }

  /** The bars of a symbol with a later number than `from`, oldest first. */
  listSince(symbol: string, from: number): readonly Numbered[] {
    const recent = this.#recent.get(symbol);
    if (recent === undefined || (recent.at(-1)?.at ?? 0) <= from) return NONE;
    return recent.filter(({ at }) => at > from);
  }
}

const NONE: readonly Numbered[] = [];
