import type { PastLine, PastPrices } from "@/lib/api/stream/past-prices";
import type { PriceChanges, SymbolPrice, SymbolSet } from "@/lib/api/stream/price-changes";
import type { UpdateTexts } from "@/lib/api/stream/stream-format";
import { formatQuote, formatState } from "@/lib/api/stream/stream-format";
import type { StreamFormat } from "@/lib/api/stream/stream-format";
import type { ServedQuote } from "@/lib/book/quote";
import { toPrice } from "@/lib/market/price";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** A price as it was after a round of live changes. */
interface Noted {
  readonly atMs: number;
  readonly price: SymbolPrice;
  readonly quote: ServedQuote | undefined;
}

/** More changes than come in the few seconds until they are in the log. */
const MAX_NOTED = 200_000;

interface Options {
  readonly changes: PriceChanges;
  readonly set: SymbolSet;
  readonly format: StreamFormat;
  readonly marketNow: Clock;
  readonly monotonic: Clock;
}

/** Notes the live changes of some symbols, until the log of the past has the first of them. */
export class LiveTap {
  /** From this second on, every change is noted. */
  readonly second: number;
  readonly begunAtMs: number;
  readonly options: Options;
  /** The number of the latest change before the first noted one. */
  readonly from: number;
  readonly noted: Noted[] = [];
  at: number;

  constructor(options: Options) {
    this.options = options;
    const nowMs = options.marketNow();
    options.changes.read(nowMs);
    this.second = Math.floor(nowMs / SECOND_MS) + 1;
    this.begunAtMs = options.monotonic();
    this.from = this.at = options.changes.last;
  }

  get isWhole(): boolean {
    return this.noted.length < MAX_NOTED;
  }

  collect(): void {
    const { changes, set, marketNow } = this.options;
    if (changes.last === this.at || !this.isWhole) return;
    const atMs = marketNow();
    for (const price of set.prices) {
      if (price.changedAt > this.at) this.noted.push({ atMs, price, quote: price.quote });
    }
    this.at = changes.last;
  }
}

interface Past {
  readonly prices: PastPrices;
  /** Everything that was received before it was sent. */
  readonly second: number;
  /** The texts of the latest releases and gaps that were sent. */
  readonly sent: readonly string[];
}

/**
 * What was noted and is not of the past, as one update, and the number of the latest change in it. What the reader has of
 * a symbol then is what the live stream has.
 */
export function joinLive(
  tap: LiveTap,
  { prices, second, sent }: Past,
): { readonly at: number; readonly text: string | null } {
  const { changes, set, format, marketNow } = tap.options;
  changes.read(marketNow());
  tap.collect();
  const byPrice = new Map<SymbolPrice, Noted[]>();
  for (const each of tap.noted) {
    const list = byPrice.get(each.price);
    if (list === undefined) byPrice.set(each.price, [each]);
    else list.push(each);
  }
  const quotes: string[] = [];
  const states: string[] = [];
  const live = new Set<PastLine>();
  for (const price of set.prices) {
    const held = prices.find(price.symbol, price.source);
    if (held !== undefined) live.add(held);
    let sent = held === undefined ? undefined : readSent(held);
    const later = selectLater(byPrice.get(price) ?? [], sent, second).map(({ quote }) => quote);
    for (const quote of [...later, price.quote]) {
      if (quote !== undefined && !isSamePrice(sent, quote))
        quotes.push(formatQuote({ ...price, quote, texts: new Map() }, set.options.fields));
      if (quote?.state !== sent?.state || quote?.mode !== sent?.mode) states.push(formatState({ ...price, quote }));
      sent = quote;
    }
  }
  // Sources that no longer exist.
  for (const line of prices.listLines()) {
    if (line.slot !== null && !live.has(line)) states.push(formatState({ ...line, quote: undefined }));
  }
  const texts: UpdateTexts = {
    ...{ quotes, states },
    bars: set.listBars(tap.from).filter((bar) => readBarTime(bar) >= second * SECOND_MS),
    releases: set.listReleases(tap.from).filter((text) => !sent.includes(text)),
    gaps: set.listGaps(tap.from).filter((text) => !sent.includes(text)),
  };
  const text = format.update(texts, set.options, changes.formatPosition(set, tap.at));
  return { at: tap.at, text };
}

type Sent = Pick<ServedQuote, "bid" | "ask" | "timeMs" | "source" | "state" | "mode">;

function readSent({ slot, bid, ask, digits, timeMs, state }: PastLine): Sent | undefined {
  if (slot === null) return undefined;
  const { source, mode } = slot;
  return { bid: toPrice(bid, digits), ask: toPrice(ask, digits), timeMs, source, state, mode };
}

function isSamePrice(a: Sent | undefined, b: Sent): boolean {
  return a !== undefined && a.bid === b.bid && a.ask === b.ask && a.timeMs === b.timeMs && a.source === b.source;
}

/**
 * The noted prices after the one that was sent last. Where that one is not among them, because others followed it in the
 * same round, they are those of later seconds: by the clock, and none that its source sent earlier.
 */
function selectLater(noted: readonly Noted[], sent: Sent | undefined, second: number): readonly Noted[] {
  if (sent === undefined) return noted.filter(({ atMs }) => atMs >= second * SECOND_MS);
  const at = noted.findLastIndex(({ quote }) => quote !== undefined && isSamePrice(sent, quote));
  if (at !== -1) return noted.slice(at);
  const isEarlier = (quote: ServedQuote | undefined) => quote?.source === sent.source && quote.timeMs < sent.timeMs;
  return noted.filter(({ atMs, quote }) => atMs >= second * SECOND_MS && !isEarlier(quote));
}

function readBarTime(bar: string): number {
  return Date.parse(/"time":"([^"]+)"/.exec(bar)?.[1] ?? "");
}
