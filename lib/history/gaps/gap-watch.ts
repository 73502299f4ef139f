import type { FeedSource } from "@/lib/feeds/feed";
import type { Quote } from "@/lib/feeds/intake";
import type { GapReason } from "@/lib/feeds/source-gap";
import { GapFiller, type GapFillerOptions } from "@/lib/history/gaps/gap-filler";
import { readSeen, writeGaps } from "@/lib/history/gaps/gap-rows";
import { GapTracker, type SeenSource } from "@/lib/history/gaps/gap-tracker";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

interface Options extends GapFillerOptions {
  readonly sources: readonly FeedSource[];
  /** Throws LeaseLost on a server that does not record. */
  readonly readFence: () => number;
  /** Gaps before this moment are removed, UTC milliseconds. */
  readonly keptFromMs: () => number;
}

const STORE_MS = 2 * SECOND_MS;
const FILL_MS = 5 * SECOND_MS;

/** Finds, stores and fills the gaps of the live sources. Call it before the first price. */
export async function openGapWatch(options: Options): Promise<GapWatch> {
  return new GapWatch(options, await readSeen(options.pool));
}

export class GapWatch {
  readonly #options: Options;
  readonly #tracker: GapTracker;
  readonly #filler: GapFiller;
  readonly #repetitions: readonly Repetition[];

  constructor(options: Options, seen: readonly SeenSource[]) {
    const { log, sources } = options;
    this.#options = options;
    this.#tracker = new GapTracker(sources, seen);
    this.#filler = new GapFiller(options);
    this.#repetitions = [
      repeat(() => this.store(), {
        pauseMs: STORE_MS,
        onFailure: (error) => log.warn({ err: error }, "the gaps of the sources could not be stored"),
        onRecovery: () => log.info("the gaps of the sources can be stored again"),
      }),
      repeat(() => this.fill(), {
        pauseMs: FILL_MS,
        onFailure: (error) => log.warn({ err: error }, "the gaps of the sources could not be filled"),
        onRecovery: () => log.info("the gaps of the sources can be filled again"),
      }),
    ];
  }

  start(): void {
    for (const repetition of this.#repetitions) repetition.start();
  }

  onQuote(quote: Quote): void {
    this.#tracker.onQuote(quote);
  }

  onLoss(source: string, reason: GapReason): void {
    this.#tracker.onLoss(source, reason);
  }

  setSources(sources: readonly FeedSource[]): void {
    this.#tracker.setSources(sources);
  }

  /** Writes the gaps that have ended, and when each source last had a price. A standby leaves both to the recorder. */
  async store(): Promise<void> {
    const gaps = this.#tracker.take();
    try {
      const { pool, readFence, keptFromMs } = this.#options;
      await writeGaps(pool, readFence(), { gaps, seen: this.#tracker.listSeen(), keptFromMs: keptFromMs() });
    } catch (error) {
      if (error instanceof LeaseLost) return;
      this.#tracker.putBack(gaps);
      throw error;
    }
  }

  /** Fills what is due. */
  async fill(): Promise<void> {
    try {
      await this.#filler.run(this.#options.readFence());
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  /** Call it after the feeds have stopped, while this server still holds the lease. */
  async stop(): Promise<void> {
    for (const repetition of this.#repetitions) repetition.stop();
    this.#filler.stop();
    const { log } = this.#options;
    await this.store().catch((error: unknown) => log.warn({ err: error }, "storing the last times of sources failed"));
  }
}
