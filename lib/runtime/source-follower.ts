import type { Pool } from "pg";
import { readSourceSettings, type SourceSettings } from "@/lib/access/source-control";
import type { FeedSettings } from "@/lib/feeds/settings/feed-setting";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import type { ServerStatus } from "@/lib/readers/server-status";
import type { Prices } from "@/lib/runtime/prices";

type ReloadOutcome = ServerStatus["reload"];

interface Options {
  readonly pool: Pool;
  readonly prices: Pick<Prices, "apply" | "setPaused" | "setAliases">;
  readonly loadSettings: () => Promise<FeedSettings>;
  readonly log: Logger;
  readonly pollMs?: number;
}

const POLL_MS = 500;

/** Does what operators want of the sources: pauses and resumes them, sets their aliases, and reads their file again. */
export class SourceFollower {
  readonly #options: Options;
  readonly #repetition: Repetition;
  #paused = "";
  #aliases = "[]";
  #outcome: ReloadOutcome = { request: 0, change: null, error: null };

  constructor(options: Options) {
    const { log, pollMs = POLL_MS } = options;
    this.#options = options;
    this.#repetition = repeat(() => this.#follow(), {
      pauseMs: pollMs,
      onFailure: (error) => log.warn({ err: error }, "the settings of sources cannot be read"),
      onRecovery: () => log.info("the settings of sources can be read again"),
    });
  }

  get outcome(): ReloadOutcome {
    return this.#outcome;
  }

  /** Pauses what was paused before, and sets the aliases. Call it before the feeds start, which have just read their settings. */
  async start(): Promise<void> {
    const settings = await readSourceSettings(this.#options.pool);
    this.#outcome = { ...this.#outcome, request: settings.reloads };
    this.#setAliases(settings);
    await this.#setPaused(settings);
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  async #follow(): Promise<void> {
    const settings = await readSourceSettings(this.#options.pool);
    this.#setAliases(settings);
    await this.#setPaused(settings);
    if (settings.reloads !== this.#outcome.request) await this.#reload(settings.reloads);
  }

  #setAliases({ aliases }: SourceSettings): void {
    const text = JSON.stringify([...aliases]);
    if (text === this.#aliases) return;
    this.#options.prices.setAliases(aliases);
    this.#aliases = text;
    this.#options.log.info({ aliases: Object.fromEntries(aliases) }, "aliases of sources changed");
  }

  async #setPaused({ paused }: SourceSettings): Promise<void> {
    const names = [...paused.keys()];
    if (names.join() === this.#paused) return;
    await this.#options.prices.setPaused(new Set(names));
    this.#paused = names.join();
    this.#options.log.info({ paused: names }, "paused sources changed");
  }

  async #reload(request: number): Promise<void> {
    const { loadSettings, prices, log } = this.#options;
    try {
      const change = await prices.apply(await loadSettings());
      this.#outcome = { request, change, error: null };
      log.info(change, "sources reloaded");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#outcome = { request, change: null, error: reason };
      log.error({ reason }, "sources could not be reloaded; nothing was changed");
    }
  }
}
