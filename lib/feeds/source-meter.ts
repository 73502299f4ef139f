import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const SECONDS = MINUTE_MS / SECOND_MS;

/** The accepted ticks of one source in the last minute, and how far its clock is from ours. */
export class SourceMeter {
  /** The second that each cell counts, and its ticks; a cell is used again after a minute. */
  readonly #seconds = new Float64Array(SECONDS).fill(-1);
  readonly #ticks = new Uint32Array(SECONDS);
  /** The least delay from the broker's time to the receipt, in milliseconds. */
  readonly #delays = new Float64Array(SECONDS);
  /** The sum of all delays, in milliseconds. */
  readonly #delaySums = new Float64Array(SECONDS);

  /** Both times in UTC milliseconds. */
  add(receivedAtMs: number, brokerTimeMs: number): void {
    const second = Math.floor(receivedAtMs / SECOND_MS);
    const cell = second % SECONDS;
    const delayMs = receivedAtMs - brokerTimeMs;
    if (this.#seconds[cell] !== second) {
      this.#seconds[cell] = second;
      this.#ticks[cell] = 0;
      this.#delays[cell] = delayMs;
      this.#delaySums[cell] = 0;
    }
    this.#ticks[cell] = (this.#ticks[cell] ?? 0) + 1;
    this.#delaySums[cell] = (this.#delaySums[cell] ?? 0) + delayMs;
    if (delayMs < (this.#delays[cell] ?? delayMs)) this.#delays[cell] = delayMs;
  }

  /** The ticks of the minute before `nowMs`, by the clock of the receipts. */
  countLastMinute(nowMs: number): number {
    return this.#listCells(nowMs).reduce((sum, cell) => sum + (this.#ticks[cell] ?? 0), 0);
  }

  /**
   * How far the broker's clock is behind ours, in milliseconds, negative if it is ahead: the least delay of the minute,
   * so the time that a price took to arrive is in it. Null without a tick.
   */
  getClockOffsetMs(nowMs: number): number | null {
    const delays = this.#listCells(nowMs).map((cell) => this.#delays[cell] ?? Infinity);
    return delays.length === 0 ? null : Math.round(Math.min(...delays));
  }

  /**
   * The mean time from the broker's time to the receipt, in milliseconds. The offset of the clock is in it, so it is
   * negative if the broker's clock is further ahead than a price takes to arrive. Null without a tick.
   */
  getLatencyMs(nowMs: number): number | null {
    const cells = this.#listCells(nowMs);
    const ticks = cells.reduce((sum, cell) => sum + (this.#ticks[cell] ?? 0), 0);
    const delays = cells.reduce((sum, cell) => sum + (this.#delaySums[cell] ?? 0), 0);
    return ticks === 0 ? null : Math.round(delays / ticks);
  }

  #listCells(nowMs: number): number[] {
    const from = Math.floor(nowMs / SECOND_MS) - SECONDS;
    return Array.from(this.#seconds.keys()).filter((cell) => (this.#seconds[cell] ?? -1) > from);
  }
}
