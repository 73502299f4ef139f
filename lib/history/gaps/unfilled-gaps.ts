import type { Pool } from "pg";
import type { GapSummary, SourceGap } from "@/lib/feeds/source-gap";
import { readUnfilled, type StoredGap } from "@/lib/history/gaps/gap-rows";
import { cutOpenSpans } from "@/lib/history/gaps/open-spans";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly log: Logger;
}

const FOLLOW_MS = 10 * SECOND_MS;
const MAX_LATEST = 10;

/** The gaps of all sources that are not filled, at most ten seconds old, in every process. */
export class UnfilledGaps {
  readonly #pool: Pool;
  readonly #repetition: Repetition;
  #gaps: readonly StoredGap[] = [];

  constructor({ pool, log }: Options) {
    this.#pool = pool;
    this.#repetition = repeat(() => this.load(), {
      pauseMs: FOLLOW_MS,
      onFailure: (error) => log.warn({ err: error }, "the gaps of the sources cannot be read"),
      onRecovery: () => log.info("the gaps of the sources can be read again"),
    });
  }

  async start(): Promise<void> {
    await this.load();
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  async load(): Promise<void> {
    this.#gaps = await readUnfilled(this.#pool);
  }

  /** The parts of gaps of a symbol's sources within a range while its market was open, oldest first. */
  find(symbol: string, fromMs: number, toMs: number): SourceGap[] {
    const found = this.#gaps.filter(
      (gap) => gap.fromMs < toMs && fromMs < gap.toMs && (gap.waiting.includes(symbol) || gap.missing.includes(symbol)),
    );
    const hours = instrumentBySymbol.get(symbol)?.tradingHours;
    return found.flatMap((gap) => {
      const span = { fromMs: Math.max(gap.fromMs, fromMs), untilMs: Math.min(gap.toMs, toMs) };
      const open = hours === undefined ? [span] : cutOpenSpans([hours], span);
      const { source, reason } = gap;
      return open.map(({ fromMs: from, untilMs }) => ({ source, reason, fromMs: from, toMs: untilMs }));
    });
  }

  summarise(source: string): GapSummary {
    const gaps = this.#gaps.filter((gap) => gap.source === source).reverse();
    const latest = gaps.slice(0, MAX_LATEST).map(({ fromMs, toMs, reason }) => ({ source, fromMs, toMs, reason }));
    return { count: gaps.length, latest };
  }
}
