import type { Pool } from "pg";
import { findKind } from "@/lib/feeds/kinds";
import { deleteOldBatches } from "@/lib/feeds/mt5/batch-store";
import type { Inlets } from "@/lib/feeds/mt5/inlets";
import {
  OtherServerRecords,
  type PushOutcome,
  Terminal,
  type TerminalCounts,
  type TerminalId,
} from "@/lib/feeds/mt5/terminal";
import { type PushedSymbol, type TickPush, toSymbolFacts } from "@/lib/feeds/mt5/tick-push";
import type { FeedSetting, FeedSettings } from "@/lib/feeds/settings/feed-setting";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { MINUTE_MS } from "@/lib/time/units";

/** One terminal for the operator. Plain data. */
export interface TerminalState extends Readonly<TerminalCounts> {
  /** The id of its token. */
  readonly id: string;
  /** How far the trade server's clock is ahead of UTC; null until it is known. */
  readonly offsetMs: number | null;
}

interface Options {
  readonly pool: Pool;
  readonly inlets: Inlets;
  /** Has instruments added for the symbols of a source that the catalog lacks; see Prices. */
  readonly nameSymbols: (source: string, facts: readonly SymbolFacts[]) => Promise<void>;
  /** Whether everything that came minutes ago is stored. */
  readonly isStoring: () => boolean;
  readonly now: Clock;
  readonly log: Logger;
}

/** Symbols of one terminal that are remembered. */
const MAX_SYMBOLS = 10_000;

/** Receives what MetaTrader terminals push. */
export class Terminals {
  readonly #options: Options;
  /** The number under which this server records; null while another one does. */
  #fence: number | null = null;
  readonly #terminals = new Map<string, Promise<Terminal>>();
  readonly #opened = new Map<string, Terminal>();
  /** The spellings that are in the database, by token. */
  readonly #symbols = new Map<string, Set<string>>();
  /**
   * By token, what a terminal said of its symbols while the clock of its trade server was unknown: their sessions are in its
   * time. Also those of them that it has sent prices of, which are not passed on before.
   */
  readonly #undated = new Map<string, Map<string, PushedSymbol | null>>();
  readonly #cleaning: ReturnType<typeof repeat>;

  constructor(options: Options) {
    const { pool, isStoring, log } = options;
    this.#options = options;
    this.#cleaning = repeat(async () => (isStoring() ? deleteOldBatches(pool) : undefined), {
      pauseMs: MINUTE_MS,
      onFailure: (error) => log.error({ err: error }, "old batches of terminals cannot be deleted"),
      onRecovery: () => log.info("old batches of terminals can be deleted again"),
    });
  }

  /**
   * Accepts batches, as the server that records under this number. Passes on what was received and perhaps not stored as
   * history before a crash, or by the server that recorded before.
   */
  async start(ids: readonly TerminalId[], fence: number): Promise<void> {
    this.#fence = fence;
    await Promise.all(ids.map((id) => this.#open(id, fence)));
    this.#cleaning.start();
  }

  /** Accepts no more batches, and forgets how far the terminals are: another server may accept their next ones. */
  stop(): void {
    this.#fence = null;
    this.#cleaning.stop();
    this.#terminals.clear();
    this.#opened.clear();
  }

  /** Null if another server records: the terminal must push there. See `Terminal.accept`. */
  async accept(id: TerminalId, push: TickPush, receivedAtMs: number): Promise<PushOutcome | null> {
    if (this.#fence === null) return null;
    const terminal = await this.#open(id, this.#fence);
    try {
      // Their prices, which may be in the same batch, must find their instruments.
      await this.#name(id, push.symbols ?? [], terminal.offsetMs, receivedAtMs);
      const outcome = await terminal.accept(push, receivedAtMs);
      if (!outcome.repeated) await this.#follow(id, push, terminal.offsetMs, receivedAtMs);
      return outcome;
    } catch (error) {
      if (error instanceof OtherServerRecords) return null;
      throw error;
    }
  }

  states(): TerminalState[] {
    return [...this.#opened].map(([id, { counts, offsetMs }]) => ({ ...counts, id, offsetMs }));
  }

  #open(id: TerminalId, fence: number): Promise<Terminal> {
    const opened = this.#terminals.get(id.id);
    if (opened !== undefined) return opened;
    const opening = this.#restore(id, fence);
    this.#terminals.set(id.id, opening);
    opening.catch(() => {
      if (this.#terminals.get(id.id) === opening) this.#terminals.delete(id.id);
    });
    return opening;
  }

  async #restore(id: TerminalId, fence: number): Promise<Terminal> {
    const terminal = new Terminal(id, { ...this.#options, fence });
    await terminal.restore(this.#options.now());
    if (fence === this.#fence) this.#opened.set(id.id, terminal);
    return terminal;
  }

  /** @param offsetMs how far the trade server's clock is ahead of UTC; null while it is unknown */
  async #name({ source }: TerminalId, symbols: readonly PushedSymbol[], offsetMs: number | null, atMs: number) {
    if (symbols.length === 0) return;
    const facts = symbols.map((symbol) => toSymbolFacts(symbol, offsetMs, atMs));
    await this.#options.nameSymbols(source, facts);
  }

  /**
   * Remembers the symbols of a batch, once its prices are passed on: the simulation leaves a symbol to the terminal from
   * then on. The ticks are stored already, so a failure is left to the next batch.
   */
  async #follow(id: TerminalId, { ticks, symbols = [] }: TickPush, offsetMs: number | null, atMs: number) {
    const undated = this.#undated.get(id.id) ?? new Map<string, PushedSymbol | null>();
    const known = this.#symbols.get(id.id);
    const hasRoom = (spelling: string) => undated.has(spelling) || undated.size < MAX_SYMBOLS;
    for (const { s } of ticks) if (known?.has(s) !== true && !undated.has(s) && hasRoom(s)) undated.set(s, null);
    for (const symbol of symbols) if (hasRoom(symbol.s)) undated.set(symbol.s, symbol);
    if (offsetMs === null) {
      this.#undated.set(id.id, undated);
      return;
    }
    const { log } = this.#options;
    try {
      if (this.#undated.delete(id.id)) {
        const said = [...undated.values()].filter((symbol) => symbol !== null);
        await this.#name(id, said, offsetMs, atMs);
      }
      await this.#rememberSymbols(id.id, [...undated.keys()]);
    } catch (error) {
      log.warn({ err: error }, "the symbols of a terminal cannot be stored");
    }
  }

  async #rememberSymbols(tokenId: string, spellings: readonly string[]): Promise<void> {
    const known = this.#symbols.get(tokenId) ?? new Set();
    const found = new Set(spellings.filter((spelling) => !known.has(spelling)));
    if (found.size === 0 || known.size >= MAX_SYMBOLS) return;
    await this.#options.pool.query(
      `UPDATE ingest_token SET symbols = ARRAY(
         SELECT DISTINCT spelling FROM unnest(symbols || $2::text[]) AS spelling ORDER BY spelling LIMIT $3
       ) WHERE id = $1 AND NOT symbols @> $2::text[]`,
      [tokenId, [...found], MAX_SYMBOLS],
    );
    this.#symbols.set(tokenId, new Set([...known, ...found]));
  }
}

/** The source that a terminal's token names, and what the terminal has sent, in the broker's spelling. */
export interface TerminalSource {
  readonly source: string;
  readonly symbols: readonly string[];
}

/**
 * Adds a feed for each terminal. They come after the sources that the operator set up and before the simulation. An entry
 * of kind mt5 with the terminal's name stays as it is. A name that another source has is left out, and so is every
 * terminal beside a replay at its own time.
 */
export function addTerminals(settings: FeedSettings, terminals: readonly TerminalSource[]): FeedSettings {
  const { feeds } = settings;
  if (feeds.some(({ kind, settings: own }) => kind === "replay" && own["time"] === "own")) return settings;
  const bySource = new Map(terminals.map((terminal) => [terminal.source, terminal]));
  const isFallback = ({ kind }: FeedSetting) => findKind(kind)?.isFallback === true;
  const configured = feeds.map((feed) => {
    const symbols = feed.kind === "mt5" ? (bySource.get(feed.name)?.symbols ?? []) : [];
    return feed.symbols === null && symbols.length > 0 ? { ...feed, symbols } : feed;
  });
  const names = new Set(feeds.map(({ name }) => name));
  const added = terminals.filter(({ source }) => !names.has(source)).map(toSetting);
  const first = configured.filter((feed) => !isFallback(feed));
  return { ...settings, feeds: [...first, ...added, ...configured.filter(isFallback)] };
}

function toSetting({ source, symbols }: TerminalSource): FeedSetting {
  return {
    ...{ name: source, kind: "mt5", priority: 0, aliases: {}, hours: null, expectedRate: null },
    ...{ symbols: symbols.length === 0 ? null : symbols, settings: {}, secrets: {} },
  };
}
