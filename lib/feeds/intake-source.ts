import type { FeedSink } from "@/lib/feeds/feed";
import { createLevel, type Level } from "@/lib/feeds/plausibility";
import { createRefusalCounts, type Refusal, type RefusalCounts, REFUSALS } from "@/lib/feeds/refusals";
import type { Tick } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import type { createResolver } from "@/lib/market/resolver";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Logger } from "@/lib/platform/log/log";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** One symbol across all sources. */
interface Market {
  readonly instrument: Instrument;
  /** Mid of the last accepted tick of any source; 0 before the first. */
  mid: number;
}

/** One symbol of one source, with its last accepted tick. */
export interface Stream {
  readonly market: Market;
  /** The spelling whose ticks are accepted, and how surely it names the instrument: the lowest is the surest. */
  spelling: string;
  doubt: number;
  readonly level: Level;
  bid: number;
  ask: number;
  timeMs: number;
  /** When the last tick of its spelling came, accepted or not. */
  seenAtMs: number;
}

/** A spelling that is not quoted because another one of the same instrument is. */
interface Second {
  readonly of: Stream;
  readonly doubt: number;
  /** Its ticks since the last one of the spelling that is quoted, which came at this time. */
  ticks: number;
  sinceMs: number;
  /** When it lost its place to one that was quoted while it was not; null if it never had it. */
  readonly leftAtMs: number | null;
}

type Unread = Extract<Refusal, "unknown_symbol" | "ambiguous_symbol">;
type Spelling = Stream | Second | Unread;

/** How surely a spelling names its instrument, the surest first: an alias that somebody set comes before all. */
const RULES = ["exact", "case", "separator", "alias", "vendor", "decoration"] as const;
const OF_OPERATOR = -1;

const isSecond = (found: Spelling): found is Second => typeof found !== "string" && "of" in found;
const isStream = (found: Spelling): found is Stream => typeof found !== "string" && "market" in found;

/** The parts of the intake that all of its sources use. */
export interface IntakeContext {
  readonly resolver: Pick<ReturnType<typeof createResolver>, "resolve">;
  /** By canonical symbol. */
  readonly markets: Map<string, Market>;
  readonly log: Logger;
  /** Called with the first tick of each spelling that names nothing. */
  readonly onUnknown: (tick: Tick) => void;
}

/** Spellings cached per source: more than a broker lists. Others are resolved at each tick. */
const MAX_SPELLINGS = 20_000;
/** Spellings that are not quoted have a lower limit, so that they cannot fill the cache. */
const MAX_UNRESOLVED = 10_000;
/** The log names the first ones of each kind, once; the page of feeds lists more. */
const MAX_LOGGED = 20;
/** Not warnings: brokers list symbols for their own use, and nothing needs to be done. */
const NOT_QUOTED = {
  unresolved: "A broker's symbol names no single instrument",
  second: "A broker quotes an instrument under two spellings; one of them is served",
  left: "A broker no longer quotes a spelling; another one of the instrument is served",
} as const;
/** A spelling without a tick for this long, in which another one had so many, is not quoted any more. */
const SILENT_MS = MINUTE_MS;
const SILENT_TICKS = 10;
/** A long list of symbols comes in pieces, one right after the other. */
const PIECES_MS = 2 * SECOND_MS;
/** No broker has a longer spelling. */
export const MAX_SPELLING_LENGTH = 64;

/** Canonical symbols by a broker's spelling, for one source. */
export type Aliases = Readonly<Record<string, string>>;

/** A spelling that is not quoted, the instrument that it names, and the spelling under which the source is quoted. */
export interface SecondSpelling {
  readonly spelling: string;
  readonly symbol: string;
  readonly quoted: string;
  /** When it lost its place because it was not quoted any more, UTC milliseconds; null if it never had it. */
  readonly leftAtMs: number | null;
}

/** One source of the intake: its counts, and its streams by the broker's spelling of the symbol. */
export class IntakeSource {
  readonly counts: SourceCounts;
  readonly meter = new SourceMeter();
  #aliases: Aliases;
  readonly #context: IntakeContext;
  readonly #spellings = new Map<string, Spelling>();
  readonly #streams = new Map<string, Stream>();
  #unresolved = 0;
  /** The spellings that the log has named. A change of the catalog does not repeat them. */
  readonly #logged = { unresolved: new Set<string>(), second: new Set<string>(), left: new Set<string>() };
  /** The spellings of the newest list that the source sent, and when its first and its last piece came. */
  readonly #listed = new Set<string>();
  #listedAtMs = -Infinity;
  #pieceAtMs = -Infinity;

  constructor(name: string, context: IntakeContext, aliases: Aliases = {}) {
    this.counts = createSourceCounts(name);
    this.#aliases = aliases;
    this.#context = context;
  }

  /** Returns the stream of a tick's spelling, or the reason why it has none. */
  findStream(tick: Tick): Stream | Unread | "second_spelling" {
    let found = this.#spellings.get(tick.brokerSymbol) ?? this.#resolve(tick);
    if (isSecond(found) && this.#isLeft(found, tick)) found = this.#replace(found, tick);
    if (isSecond(found)) return "second_spelling";
    if (typeof found === "string") return found;
    found.seenAtMs = tick.receivedAtMs;
    return found;
  }

  /** Notes what the source lists now, in whole or a piece of it. */
  list(spellings: readonly string[], nowMs: number): void {
    if (nowMs - this.#pieceAtMs > PIECES_MS) {
      this.#listed.clear();
      this.#listedAtMs = nowMs;
    }
    this.#pieceAtMs = nowMs;
    for (const spelling of spellings) if (this.#listed.size < MAX_SPELLINGS) this.#listed.add(spelling);
  }

  /** Whether the spelling that is quoted was given up for this one: the source does not list it any more, or it is silent. */
  #isLeft(second: Second, { brokerSymbol, receivedAtMs }: Tick): boolean {
    const { spelling, doubt, seenAtMs } = second.of;
    if (second.sinceMs !== seenAtMs) Object.assign(second, { sinceMs: seenAtMs, ticks: 0 });
    const isSilent = ++second.ticks >= SILENT_TICKS && receivedAtMs - seenAtMs >= SILENT_MS;
    const listed = this.#listed;
    const isUnlisted = seenAtMs <= this.#listedAtMs && listed.has(brokerSymbol) && !listed.has(spelling);
    // One that is surer has come back.
    return isSilent || isUnlisted || second.doubt < doubt;
  }

  /** Gives the place of a spelling that is not quoted any more to another one. */
  #replace({ of: stream, doubt }: Second, { brokerSymbol, receivedAtMs }: Tick): Stream {
    const left = stream.spelling;
    const leftAtMs = doubt < stream.doubt ? null : receivedAtMs;
    this.#spellings.set(left, { of: stream, doubt: stream.doubt, ticks: 0, sinceMs: 0, leftAtMs });
    this.#spellings.set(brokerSymbol, stream);
    if (leftAtMs !== null)
      this.#logOnce("left", left, { symbol: stream.market.instrument.symbol, preferred: brokerSymbol });
    return Object.assign(stream, { spelling: brokerSymbol, doubt });
  }

  forgetTimes(): void {
    for (const stream of this.#streams.values()) stream.timeMs = 0;
  }

  /**
   * Replaces the aliases. Spellings that now name something else are resolved anew, and no earlier price of theirs is
   * what a next one is compared with. Returns the instruments whose accepted quotes may have been those of others.
   */
  setAliases(aliases: Aliases): readonly Instrument[] {
    const find = (from: Aliases, spelling: string) => (Object.hasOwn(from, spelling) ? from[spelling] : undefined);
    const before = this.#aliases;
    this.#aliases = aliases;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(aliases)])].filter(
      (spelling) => find(before, spelling) !== find(aliases, spelling),
    );
    return changed.flatMap((spelling) => this.#forget(spelling));
  }

  /**
   * Resolves spellings anew after a change of the catalog. Returns the instruments whose accepted quotes may have been
   * those of others: their spelling names something else now, or they are gone.
   */
  followCatalog(): readonly Instrument[] {
    for (const [spelling, found] of this.#spellings) if (!isStream(found)) this.#spellings.delete(spelling);
    this.#unresolved = 0;
    return [...this.#streams.values()].flatMap((stream) => {
      const resolution = this.#read(stream.spelling);
      const isSame = resolution.kind === "found" && resolution.instrument === stream.market.instrument;
      return isSame ? [] : this.#forgetStream(stream);
    });
  }

  /** Lists the spellings that an alias names. */
  listAliased(spellings: readonly string[]): string[] {
    return spellings.filter((spelling) => Object.hasOwn(this.#aliases, spelling));
  }

  /** Forgets what a spelling names. Returns its instrument if it was quoted. */
  #forget(spelling: string): readonly Instrument[] {
    const found = this.#spellings.get(spelling);
    if (found === undefined) return [];
    if (isStream(found)) return this.#forgetStream(found);
    this.#spellings.delete(spelling);
    this.#unresolved--;
    return [];
  }

  #forgetStream(stream: Stream): readonly Instrument[] {
    const { market, spelling } = stream;
    market.mid = 0;
    this.#spellings.delete(spelling);
    this.#streams.delete(market.instrument.symbol);
    // Another spelling of the instrument may be its only one now.
    for (const [second, found] of this.#spellings) if (isSecond(found)) this.#forget(second);
    return stream.timeMs === 0 ? [] : [market.instrument];
  }

  /** The spellings that name no single instrument, in the order in which they came. */
  listUnresolved(limit: number): string[] {
    return this.#list(limit, (found): found is Unread => typeof found === "string").map(([spelling]) => spelling);
  }

  /** The spellings that are not quoted because another one of the same instrument is. */
  listSeconds(limit: number): SecondSpelling[] {
    return this.#list(limit, isSecond).map(([spelling, { of, leftAtMs }]) => {
      return { spelling, symbol: of.market.instrument.symbol, quoted: of.spelling, leftAtMs };
    });
  }

  #list<Found extends Spelling>(limit: number, isListed: (found: Spelling) => found is Found): [string, Found][] {
    const listed: [string, Found][] = [];
    for (const [spelling, found] of this.#spellings) {
      if (listed.length === limit) break;
      if (isListed(found)) listed.push([spelling, found]);
    }
    return listed;
  }

  /** Whether a market that this source quotes is open; null before its first accepted tick. */
  isAnyMarketOpen(nowMs: number): boolean | null {
    const streams = [...this.#streams.values()];
    if (streams.length === 0) return null;
    return streams.some(({ market }) => isMarketOpen(market.instrument.tradingHours, nowMs));
  }

  #read(brokerSymbol: string) {
    const alias = Object.hasOwn(this.#aliases, brokerSymbol) ? this.#aliases[brokerSymbol] : undefined;
    return this.#context.resolver.resolve(alias ?? brokerSymbol);
  }

  #resolve(tick: Tick): Spelling {
    const { brokerSymbol } = tick;
    if (brokerSymbol.length > MAX_SPELLING_LENGTH) return "unknown_symbol";
    const resolution = this.#read(brokerSymbol);
    if (resolution.kind !== "found") {
      const reason = `${resolution.kind}_symbol` as const;
      if (!this.#remember(brokerSymbol, reason)) return reason;
      if (reason === "unknown_symbol") this.#context.onUnknown(tick);
      this.#logOnce("unresolved", brokerSymbol, { resolution });
      return reason;
    }
    const doubt = Object.hasOwn(this.#aliases, brokerSymbol) ? OF_OPERATOR : RULES.indexOf(resolution.rule);
    return this.#openStream(resolution.instrument, tick, doubt);
  }

  /**
   * The stream of an instrument for one spelling of it. A source that quotes an instrument under two spellings means two
   * conditions of trading, so only one of them is quoted: the one that names it more surely, else the first, for as long
   * as it comes.
   */
  #openStream(instrument: Instrument, { brokerSymbol: spelling, receivedAtMs }: Tick, doubt: number): Spelling {
    let stream = this.#streams.get(instrument.symbol);
    if (stream === undefined) {
      const market = this.#openMarket(instrument);
      stream = { market, spelling, doubt, level: createLevel(), bid: 0, ask: 0, timeMs: 0, seenAtMs: receivedAtMs };
      this.#streams.set(instrument.symbol, stream);
    } else if (stream.spelling !== spelling) {
      const isSurer = doubt < stream.doubt;
      const second = isSurer ? stream.spelling : spelling;
      const found: Second = { of: stream, doubt: isSurer ? stream.doubt : doubt, ticks: 0, sinceMs: 0, leftAtMs: null };
      this.#spellings.delete(second);
      if (this.#remember(second, found)) {
        const preferred = isSurer ? spelling : stream.spelling;
        this.#logOnce("second", second, { symbol: instrument.symbol, preferred });
      }
      if (!isSurer) return found;
      stream.spelling = spelling;
      stream.doubt = doubt;
    }
    if (this.#spellings.size < MAX_SPELLINGS) this.#spellings.set(spelling, stream);
    return stream;
  }

  /** Logs that a spelling is not quoted, unless it or too many others of its kind were logged before. */
  #logOnce(kind: keyof typeof NOT_QUOTED, spelling: string, facts: object): void {
    const logged = this.#logged[kind];
    if (logged.has(spelling) || logged.size > MAX_LOGGED) return;
    logged.add(spelling);
    const { source } = this.counts;
    if (logged.size <= MAX_LOGGED) this.#context.log.info({ source, spelling, ...facts }, NOT_QUOTED[kind]);
    else this.#context.log.info({ source }, `${NOT_QUOTED[kind]}; further ones are not logged`);
  }

  /** Remembers why a spelling is not quoted. Returns false once there are too many of them. */
  #remember(spelling: string, reason: Unread | Second): boolean {
    if (this.#unresolved >= MAX_UNRESOLVED) return false;
    this.#unresolved++;
    this.#spellings.set(spelling, reason);
    return true;
  }

  #openMarket(instrument: Instrument): Market {
    const { markets } = this.#context;
    let market = markets.get(instrument.symbol);
    if (market?.instrument !== instrument) markets.set(instrument.symbol, (market = { instrument, mid: 0 }));
    return market;
  }
}

/** A refused tick, as the broker sent it. Times in UTC milliseconds. */
type RefusedTick = Omit<Tick, "source">;

/** The accepted and refused ticks of one source since the start. */
export interface SourceCounts {
  readonly source: string;
  accepted: number;
  readonly refused: RefusalCounts;
  /** The last few refused ticks of each reason, oldest first. */
  readonly samples: Partial<Record<Refusal, readonly RefusedTick[]>>;
  /** When the last accepted tick was received, UTC milliseconds; null before the first. */
  lastTickAtMs: number | null;
  /** The feed's last report about the connection, and when it came; null before the first. */
  status: Parameters<FeedSink["status"]>[1] | null;
  statusAtMs: number | null;
  /** What the feed said about it. */
  statusDetail: string | null;
  /** Since when it is connected without interruption; null while it is not. */
  connectedSinceMs: number | null;
  /** How often it was connected again after an interruption. */
  reconnections: number;
}

/** The totals of all sources, and each source's own. Accepted and refused add up to the ticks received. */
export interface IntakeCounts {
  readonly accepted: number;
  readonly refused: Readonly<RefusalCounts>;
  readonly sources: readonly Readonly<SourceCounts>[];
}

const MAX_SAMPLES = 5;

export function createSourceCounts(source: string): SourceCounts {
  return {
    source,
    accepted: 0,
    refused: createRefusalCounts(),
    samples: {},
    lastTickAtMs: null,
    status: null,
    statusAtMs: null,
    statusDetail: null,
    connectedSinceMs: null,
    reconnections: 0,
  };
}

export function addRefusal(counts: SourceCounts, reason: Refusal, { source: _source, ...tick }: Tick): void {
  counts.refused[reason]++;
  counts.samples[reason] = [...(counts.samples[reason] ?? []), tick].slice(-MAX_SAMPLES);
}

export function addStatus(
  counts: SourceCounts,
  status: Parameters<FeedSink["status"]>[1],
  detail: string | undefined,
  nowMs: number,
): void {
  if (status !== "connected") counts.connectedSinceMs = null;
  else if (counts.connectedSinceMs === null) {
    if (counts.status !== null) counts.reconnections++;
    counts.connectedSinceMs = nowMs;
  }
  counts.status = status;
  counts.statusAtMs = nowMs;
  counts.statusDetail = detail ?? null;
}

/** Copies the counts, so that the result does not change later. */
export function sumCounts(counts: readonly SourceCounts[]): IntakeCounts {
  const refused = createRefusalCounts();
  let accepted = 0;
  for (const source of counts) {
    accepted += source.accepted;
    for (const reason of REFUSALS) refused[reason] += source.refused[reason];
  }
  const copies = counts.map((source) => ({
    ...source,
    refused: { ...source.refused },
    samples: { ...source.samples },
  }));
  return { accepted, refused, sources: copies };
}

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
