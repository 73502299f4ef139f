import { type Book, createBook } from "@/lib/book/book";
import { MAX_AHEAD_MS } from "@/lib/book/freshness";
import {
  type FeedSink,
  type FeedSource,
  type FetchPast,
  type GapReason,
  type GapSummary,
  nameQuote,
} from "@/lib/feeds/feed";
import type { InstrumentStore } from "@/lib/feeds/instrument-store";
import { createIntake, type Intake, type Quote } from "@/lib/feeds/intake";
import type { Aliases } from "@/lib/feeds/intake-source";
import { findKind } from "@/lib/feeds/kinds";
import type { FrameRecorder } from "@/lib/feeds/live/frame-recorder";
import type { Inlets } from "@/lib/feeds/mt5/inlets";
import type { Refusal } from "@/lib/feeds/refusals";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import { type Ended, FeedSet, type SetChange, type SetSource } from "@/lib/feeds/set/feed-set";
import { describeSource, type SourceState } from "@/lib/feeds/set/source-state";
import type { FeedSetting, FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { listSecrets } from "@/lib/feeds/settings/secrets";
import type { DataMode, Tick } from "@/lib/market/bar";
import { getBuiltInDigits, instruments, isBuiltIn, onInstruments, raiseDigits } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { countDigits, FINER_DIGITS, MAX_DIGITS } from "@/lib/market/price";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { SteadyClock } from "@/lib/platform/timing/steady-clock";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * Called with the changed list of sources, and with what must not be served any more: the quotes of whole sources by their
 * names, and single ones as `nameQuote` names them.
 */
export type SourcesListener = (sources: readonly FeedSource[], dropped: ReadonlySet<string>) => void;

type CheckListener = (tick: Tick, symbol: string, refusal: Refusal | null) => void;

/** Called when a source may send nothing any more. */
type LossListener = (source: string, reason: GapReason) => void;

/** The feeds, their book, and the counts of accepted and refused ticks. */
export interface Prices {
  /** The sources now, most trusted first. */
  listSources(): readonly FeedSource[];
  /** The mode of a source; undefined if there is none of that name. */
  getMode(source: string): DataMode | undefined;
  readonly marketNow: Clock;
  /** Milliseconds of the market clock, which pass evenly also when the system clock is set. */
  readonly marketElapsed: Clock;
  /** Whether the market clock is that of a recording. */
  readonly isInPast: boolean;
  readonly book: Book;
  /**
   * Has instruments added for the symbols of a source that the catalog lacks, unless the operator wants none added.
   * Resolves once they are in the catalog; rejects if they cannot be stored.
   */
  nameSymbols(source: string, facts: readonly SymbolFacts[]): Promise<void>;
  /** The feed that can return prices of the past, and the symbols that it quotes; null if there is none. */
  readonly past: PastFeed | null;
  /** Calls `listener` with every later quote of any source, after the book has accepted it. */
  onQuote(listener: (quote: Quote) => void): void;
  /** Calls `listener` with every later tick of a known instrument, after it was accepted or refused. */
  onChecked(listener: CheckListener): void;
  /** Calls `listener` with every later change of the list of sources, after the book has followed it. */
  onSources(listener: SourcesListener): void;
  /** Calls `listener` whenever a source loses its connection, is paused or starts again. */
  onLoss(listener: LossListener): void;
  /** How the past of a source is fetched; undefined if it has none. */
  findPast(source: string): FetchPast | undefined;
  /** The state of each source, most trusted first. */
  feeds(): SourceState[];
  /** Milliseconds since the last accepted tick of any source, or since the start. */
  getSilenceMs(): number;
  /** Whether the system clock was set, and the new time is not followed yet. */
  isClockOff(): boolean;
  /** @param stored resolves once everything received is stored */
  start(stored: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
  /** Starts, stops and changes the feeds that differ. Throws an Error, and changes nothing, if one cannot be created. */
  apply(settings: FeedSettings): Promise<SetChange>;
  /** Pauses these sources, and resumes all others. */
  setPaused(names: ReadonlySet<string>): Promise<void>;
  /** Replaces the operator's aliases, by source. They come before those of the settings. */
  setAliases(aliases: ReadonlyMap<string, Aliases>): void;
}

interface Options {
  readonly settings: FeedSettings;
  readonly log: Logger;
  readonly system: Clock;
  readonly monotonic: Clock;
  /** The newest stored second, UTC milliseconds; null if there is none. */
  readonly storedUntilMs: number | null;
  readonly inlets: Inlets;
  /** Where feeds store what they must remember. */
  readonly dataDir: string;
  /** Closed when the feeds have stopped; null if frames are not recorded. */
  readonly recorder: FrameRecorder | null;
  /** The gaps of a source that are not filled. */
  readonly summariseGaps: (source: string) => GapSummary;
  /** Stores instruments for symbols of a source; see InstrumentStore. */
  readonly instruments: Pick<InstrumentStore, "name">;
}

const REPORT_MS = MINUTE_MS;

/** Opens the feeds without starting them. Throws if the settings contradict each other. */
export function openPrices(options: Options): Prices {
  const { settings, log, system, monotonic, storedUntilMs, recorder, summariseGaps, inlets, dataDir } = options;
  const builtIn = instruments.filter(({ symbol }) => isBuiltIn(symbol));
  const clock = new SteadyClock({ system, monotonic, onStep, log });
  let stored: () => Promise<void> = () => Promise.resolve();
  const listeners = new Listeners();
  const sink = createSink(listeners, {
    intake: () => intake,
    stored: () => stored(),
    nameSymbols: (source, facts) => nameSymbols(source, facts).catch((error: unknown) => reportUnnamed(source, error)),
  });
  const context = { now: clock.now, monotonic, instruments: builtIn, storedUntilMs, inlets, dataDir, log, recorder };
  const set = new FeedSet(settings, { ...context, sink, onChange });
  const { ownClock } = set;
  const marketNow = ownClock ?? clock.now;
  const book = createBook({ sources: set.sources, now: marketNow });
  let modes = listModes(set.sources);
  let operatorAliases: ReadonlyMap<string, Aliases> = new Map();
  let lastQuoteAtMs = monotonic();
  const onQuote = (quote: Quote) => {
    lastQuoteAtMs = monotonic();
    book.accept(quote);
    for (const listener of listeners.quote) listener(quote);
  };
  const sources = toIntakeSettings(set.sources, operatorAliases);
  const reportUnnamed = (source: string, error: unknown) =>
    log.error({ err: error, source }, "symbols of a source cannot be added to the catalog");
  const naming = new Naming({
    name: (source, facts) => options.instruments.name(source, facts),
    isWanted: (source) => addsInstruments(set.sources.find(({ name }) => name === source)?.setting),
    onFailure: reportUnnamed,
  });
  const onUnknown = (tick: Tick) => naming.onUnknown(tick);
  const onChecked: CheckListener = (...checked) => {
    for (const listener of listeners.checked) listener(...checked);
  };
  const onTicks = { onQuote, onChecked, onUnknown };
  const intake = createIntake({ resolver: catalogResolver, sources, ...onTicks, now: marketNow, log });
  const unfollow = onInstruments((changed) => {
    const requoted = intake.followCatalog();
    const isQuoted = changed.some(({ symbol }) => book.servedSource(symbol) !== undefined);
    // The book also reads the hours and the digits of its instruments again.
    if (isQuoted || requoted.size > 0) dropQuotes(set.sources, requoted);
  });

  function onChange(sources: readonly SetSource[], { dropped, lost }: Ended): void {
    modes = listModes(sources);
    const settings = toIntakeSettings(sources, operatorAliases);
    const requoted = intake.setAliases(settings);
    intake.setSources(settings, dropped);
    dropQuotes(sources, new Set([...dropped, ...requoted]));
    for (const name of lost) listeners.lose(name, set.isPaused(name) ? "paused" : "reloaded");
  }

  /** Nothing that a clock dated while it was ahead is served once it has come back. */
  function onStep(): void {
    intake.forgetTimes();
    const latestMs = marketNow() + MAX_AHEAD_MS;
    const ahead = instruments.flatMap(({ symbol }) =>
      book.sources(symbol).flatMap(({ source, timeMs }) => (timeMs > latestMs ? nameQuote(source, symbol) : [])),
    );
    if (ahead.length > 0) dropQuotes(set.sources, new Set(ahead));
  }

  function dropQuotes(sources: readonly SetSource[], dropped: ReadonlySet<string>): void {
    book.setSources(sources, dropped);
    for (const listener of listeners.sources) listener(toPlain(sources), dropped);
  }

  function nameSymbols(source: string, facts: readonly SymbolFacts[]): Promise<void> {
    const spellings = facts.map(({ spelling }) => spelling);
    intake.source(source)?.list(spellings, marketNow());
    const aliased = new Set(intake.source(source)?.listAliased(spellings));
    const own = facts.filter(({ spelling }) => !aliased.has(spelling));
    raiseSaidDigits(own);
    return naming.name(source, own);
  }

  const feeds = () => describeSources(set, intake, marketNow(), summariseGaps);
  const reports = repeatReports(() => feeds().map(toLogLine), log);
  return {
    listSources: () => toPlain(set.sources),
    getMode: (source) => modes.get(source),
    marketNow,
    marketElapsed: ownClock ?? monotonic,
    isInPast: ownClock !== undefined,
    book,
    nameSymbols,
    past: set.past,
    onQuote: (listener) => void listeners.quote.push(listener),
    onChecked: (listener) => void listeners.checked.push(listener),
    onSources: (listener) => void listeners.sources.push(listener),
    onLoss: (listener) => void listeners.loss.push(listener),
    findPast: (source) => set.findPast(source),
    feeds,
    getSilenceMs: () => monotonic() - lastQuoteAtMs,
    isClockOff: () => clock.isSystemClockOff,
    async start(whenStored) {
      stored = whenStored;
      await set.start();
      log.info({ feeds: listNames(settings.feeds), sources: listNames(set.sources) }, "feeds started");
      reports.start();
    },
    async stop() {
      await set.stop();
      unfollow();
      naming.stop();
      await recorder?.close();
      reports.stop();
    },
    apply(changed) {
      // Before a feed uses them. Those of removed sources stay hidden.
      recorder?.hide(listSecrets(changed.feeds));
      return set.apply(changed);
    },
    setPaused: (names) => set.setPaused(names),
    setAliases(aliases) {
      operatorAliases = aliases;
      const requoted = intake.setAliases(toIntakeSettings(set.sources, operatorAliases));
      if (requoted.size > 0) dropQuotes(set.sources, requoted);
    },
  };
}

/**
 * A source that says finer digits of a symbol than the catalog will send such prices. Of a built-in one, many more are a
 * fault of its list: a price that has them raises them itself.
 */
function raiseSaidDigits(facts: readonly SymbolFacts[]): void {
  for (const { spelling, digits } of facts) {
    const known = Number.isInteger(digits) ? catalogResolver.find(spelling) : undefined;
    if (known === undefined) continue;
    const most = getBuiltInDigits(known.symbol);
    raiseDigits(known.symbol, Math.min(digits ?? 0, most === undefined ? MAX_DIGITS : most + FINER_DIGITS));
  }
}

/** Whether symbols of a source that the catalog lacks become instruments; also of a terminal that is not set up yet. */
function addsInstruments(setting: FeedSetting | undefined): boolean {
  return setting?.autoAdd ?? (setting === undefined || findKind(setting.kind)?.sources === "one");
}

/** How long the unknown symbols of a source are collected before they are named. */
const COLLECT_MS = 50;

interface NamingOptions extends Pick<InstrumentStore, "name"> {
  readonly isWanted: (source: string) => boolean;
  /** Called for symbols that were collected and could not be named. A call of `name` rejects instead. */
  readonly onFailure: (source: string, error: unknown) => void;
}

/** Has instruments added for the symbols that sources send and the catalog lacks. */
class Naming {
  readonly #options: NamingOptions;
  /** What is known of the symbols that wait, by source. */
  readonly #waiting = new Map<string, SymbolFacts[]>();
  #timer: NodeJS.Timeout | undefined;
  /** One after the other, so that each sees what the one before it has added. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: NamingOptions) {
    this.#options = options;
  }

  onUnknown({ source, brokerSymbol: spelling, bid, ask }: Tick): void {
    if (!this.#options.isWanted(source)) return;
    const digits = [bid, ask].filter((price) => Number.isFinite(price)).map(countDigits);
    const facts = { spelling, seenDigits: Math.max(0, ...digits) };
    const waiting = this.#waiting.get(source);
    if (waiting === undefined) this.#waiting.set(source, [facts]);
    else waiting.push(facts);
    this.#timer ??= setTimeout(() => this.#nameWaiting(), COLLECT_MS).unref();
  }

  async name(source: string, facts: readonly SymbolFacts[]): Promise<void> {
    if (facts.length === 0 || !this.#options.isWanted(source)) return;
    const work = this.#work.then(() => this.#options.name(source, facts));
    this.#work = work.catch(() => {});
    await work;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #nameWaiting(): void {
    this.#timer = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [source, facts] of waiting) {
      this.name(source, facts).catch((error: unknown) => this.#options.onFailure(source, error));
    }
  }
}

class Listeners {
  readonly quote: ((quote: Quote) => void)[] = [];
  readonly checked: CheckListener[] = [];
  readonly sources: SourcesListener[] = [];
  readonly loss: LossListener[] = [];

  lose(source: string, reason: GapReason): void {
    for (const listener of this.loss) listener(source, reason);
  }
}

/** Logs the counts of all sources each minute, and at the end. */
function repeatReports(describe: () => readonly object[], log: Logger) {
  const report = () => log.info({ feeds: describe() }, "ticks accepted and refused so far");
  let reporting: NodeJS.Timeout | undefined;
  return {
    start: () => void (reporting = setInterval(report, REPORT_MS).unref()),
    stop(): void {
      clearInterval(reporting);
      report();
    },
  };
}

/** Passes what feeds report to the intake, which is created after them. */
function createSink(
  listeners: Listeners,
  {
    intake,
    stored,
    nameSymbols,
  }: Pick<Prices, "nameSymbols"> & {
    readonly intake: () => Intake;
    readonly stored: () => Promise<void>;
  },
): FeedSink {
  return {
    tick: (tick) => intake().tick(tick),
    status(source, status, detail) {
      intake().status(source, status, detail);
      if (status !== "connected") listeners.lose(source, "disconnected");
    },
    symbols: nameSymbols,
    stored,
  };
}

const listNames = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name);

function toIntakeSettings(sources: readonly SetSource[], operatorAliases: ReadonlyMap<string, Aliases>) {
  return sources.map(({ name, setting }) => ({ name, aliases: { ...setting.aliases, ...operatorAliases.get(name) } }));
}

function describeSources(
  set: FeedSet,
  intake: Intake,
  nowMs: number,
  summariseGaps: Options["summariseGaps"],
): SourceState[] {
  const counts = new Map(intake.counts().sources.map((each) => [each.source, each]));
  return set.sources.flatMap((source) => {
    const [received, counted] = [intake.source(source.name), counts.get(source.name)];
    if (received === undefined || counted === undefined) return [];
    return describeSource(source, received, counted, {
      isPaused: set.isPaused(source.name),
      nowMs,
      gaps: summariseGaps(source.name),
    });
  });
}

/** Without settings and secrets: the list goes to other processes and to pages. */
function toPlain(sources: readonly SetSource[]): FeedSource[] {
  return sources.map(({ name, mode, hours }) => ({ name, mode, hours }));
}

function listModes(sources: readonly SetSource[]): ReadonlyMap<string, DataMode> {
  return new Map(sources.map(({ name, mode }) => [name, mode]));
}

function toLogLine({ source, accepted, refused, health, lastMinute }: SourceState) {
  return { source, accepted, refused, health, lastMinute };
}
