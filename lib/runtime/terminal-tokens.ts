import { timingSafeEqual } from "node:crypto";
import type { Pool } from "pg";
import { type ActiveToken, readActiveTokens } from "@/lib/access/ingest-tokens";
import { hashSecret } from "@/lib/access/secret";
import { addTerminals } from "@/lib/feeds/mt5/terminals";
import type { FeedSettings } from "@/lib/feeds/settings/feed-setting";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import type { Prices } from "@/lib/runtime/prices";

interface Options {
  readonly pool: Pool;
  readonly loadSettings: () => Promise<FeedSettings>;
  readonly log: Logger;
  readonly pollMs?: number;
}

const POLL_MS = 500;

/** The valid tokens of terminals in memory, and a source for each. Follows the database. */
export class TerminalTokens {
  readonly #options: Options;
  readonly #repetition: Repetition;
  #tokens: readonly ActiveToken[] = [];
  #applied = "";
  #prices: Pick<Prices, "apply"> | null = null;

  constructor(options: Options) {
    const { log, pollMs = POLL_MS } = options;
    this.#options = options;
    this.#repetition = repeat(() => this.#follow(), {
      pauseMs: pollMs,
      onFailure: (error) => log.error({ err: error }, "the tokens of terminals cannot be followed"),
      onRecovery: () => log.info("the tokens of terminals can be followed again"),
    });
  }

  get active(): readonly ActiveToken[] {
    return this.#tokens;
  }

  /** Reads the tokens. Rejects if the database cannot be read. */
  async load(): Promise<void> {
    this.#tokens = await readActiveTokens(this.#options.pool);
    this.#applied = describe(this.#tokens);
  }

  /** Begins to follow the database. */
  start(prices: Pick<Prices, "apply">): void {
    this.#prices = prices;
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  /** The settings with the sources of all terminals. */
  complete(settings: FeedSettings): FeedSettings {
    return addTerminals(settings, this.#tokens);
  }

  /** The valid token with this secret. Compares hashes in constant time, so that the duration reveals nothing. */
  find(secret: string): ActiveToken | null {
    const given = Buffer.from(hashSecret(secret));
    let found: ActiveToken | null = null;
    for (const token of this.#tokens) if (timingSafeEqual(given, Buffer.from(token.secretHash))) found = token;
    return found;
  }

  async #follow(): Promise<void> {
    this.#tokens = await readActiveTokens(this.#options.pool);
    const wanted = describe(this.#tokens);
    if (wanted === this.#applied || this.#prices === null) return;
    const { loadSettings, log } = this.#options;
    const change = await this.#prices.apply(this.complete(await loadSettings()));
    this.#applied = wanted;
    log.info(change, "sources of terminals changed");
  }
}

/** Changes whenever the sources must be set up again. */
function describe(tokens: readonly ActiveToken[]): string {
  return JSON.stringify(tokens.map(({ source, symbols }) => [source, symbols]));
}
