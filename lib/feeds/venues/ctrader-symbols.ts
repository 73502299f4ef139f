import { collectFacts, readFact, readWords, toTradingHours } from "@/lib/feeds/symbol-facts";
import type { SymbolFacts } from "@/lib/market/new-instrument";

/** What a broker says of its symbols over cTrader's Open API. */

type Payload = Readonly<Record<string, unknown>>;

/** Requests by the number of their answer. */
const LISTS = { assets: 2113, classes: 2154, categories: 2161, details: 2117 } as const;
type List = keyof typeof LISTS;

/** An answer about one symbol with its sessions has about a kilobyte. */
const IDS_PER_REQUEST = 500;

/** Collects the lists that describe some symbols of an account: those of its assets and classes, and their details. */
export class SymbolLists {
  readonly #symbols: readonly Payload[];
  readonly #assets = new Map<number, string>();
  readonly #classes = new Map<number, string>();
  readonly #categories = new Map<number, { readonly name: string; readonly classId: number }>();
  readonly #details = new Map<number, Payload>();
  #waiting = 0;

  /** @param symbols entries of the account's list of symbols */
  constructor(symbols: readonly Payload[]) {
    this.#symbols = symbols;
  }

  /** Whether a message with this id belongs to these lists. */
  static isOf(clientMsgId: unknown): boolean {
    return Object.keys(LISTS).some((name) => name === clientMsgId);
  }

  /** Sends the requests for all lists. */
  request(send: (list: List, payload: Payload) => void): void {
    const ids = this.#symbols.map(({ symbolId }) => Number(symbolId));
    const parts = Array.from({ length: Math.ceil(ids.length / IDS_PER_REQUEST) }, (_, index) =>
      ids.slice(index * IDS_PER_REQUEST, (index + 1) * IDS_PER_REQUEST),
    );
    this.#waiting = 3 + parts.length;
    for (const list of ["assets", "classes", "categories"] as const) send(list, {});
    for (const symbolId of parts) send("details", { symbolId });
  }

  /** Reads an answer to one of the requests. */
  read(payloadType: number, content: Payload): void {
    this.#waiting--;
    if (payloadType === LISTS.assets) {
      for (const { assetId, name } of listOf(content.asset)) this.#assets.set(Number(assetId), String(name));
    } else if (payloadType === LISTS.classes) {
      for (const { id, name } of listOf(content.assetClass)) this.#classes.set(Number(id), String(name));
    } else if (payloadType === LISTS.categories) {
      for (const { id, name, assetClassId } of listOf(content.symbolCategory)) {
        this.#categories.set(Number(id), { name: String(name), classId: Number(assetClassId) });
      }
    } else for (const symbol of listOf(content.symbol)) this.#details.set(Number(symbol.symbolId), symbol);
  }

  /** Counts a request that was refused as answered. */
  refuse(): void {
    this.#waiting--;
  }

  get isComplete(): boolean {
    return this.#waiting <= 0;
  }

  /** What is known by now. */
  collect(): SymbolFacts[] {
    return this.#symbols.map((symbol) => {
      const category = this.#categories.get(Number(symbol.symbolCategoryId));
      const folders = [this.#classes.get(category?.classId ?? NaN), category?.name];
      return collectFacts(String(symbol.symbolName), {
        description: readWords(symbol.description),
        path: folders.filter((folder) => folder !== undefined).join("/"),
        base: this.#assets.get(Number(symbol.baseAssetId)),
        quote: this.#assets.get(Number(symbol.quoteAssetId)),
        ...readDetails(this.#details.get(Number(symbol.symbolId)) ?? {}),
      });
    });
  }
}

function listOf(value: unknown): readonly Payload[] {
  return Array.isArray(value) ? (value as Payload[]) : [];
}

/** Amounts are in hundredths of a unit. */
const CENTS = 100;
const SECONDS_PER_MINUTE = 60;

function readDetails(details: Payload) {
  const [digits, pipPosition, lotSize] = [details.digits, details.pipPosition, details.lotSize].map(readFact);
  const toLots = (cents: unknown) => {
    const amount = readFact(cents);
    return amount === undefined || lotSize === undefined || lotSize <= 0 ? undefined : amount / lotSize;
  };
  const spans = listOf(details.schedule).map(({ startSecond, endSecond }) => ({
    from: Math.round(Number(startSecond) / SECONDS_PER_MINUTE),
    to: Math.round(Number(endSecond) / SECONDS_PER_MINUTE),
  }));
  const zone = readWords(details.scheduleTimeZone);
  const toPoints = readSwapUnit(details, digits, pipPosition);
  return {
    digits,
    pipSize: pipPosition === undefined ? undefined : Number(`1e${-pipPosition}`),
    contractSize: lotSize === undefined ? undefined : lotSize / CENTS,
    minVolume: toLots(details.minVolume),
    maxVolume: toLots(details.maxVolume),
    volumeStep: toLots(details.stepVolume),
    swapLong: toPoints(readFact(details.swapLong)),
    swapShort: toPoints(readFact(details.swapShort)),
    tradingHours: zone === undefined ? undefined : toTradingHours(spans, zone),
  };
}

const DAY_HOURS = 24;

/** Swaps in pips or points of each night. Of yearly percentages, and of other periods, no points a night follow. */
function readSwapUnit(details: Payload, digits: number | undefined, pipPosition: number | undefined) {
  const type = details.swapCalculationType ?? 0;
  const isNightly = (readFact(details.swapPeriod) ?? DAY_HOURS) === DAY_HOURS;
  const isInPips = type === 0 || type === "PIPS";
  const isInPoints = type === 2 || type === "POINTS";
  return (swap: number | undefined) => {
    if (swap === undefined || !isNightly) return undefined;
    if (isInPoints) return swap;
    if (!isInPips || digits === undefined || pipPosition === undefined) return undefined;
    // 0.1 × 10 without the noise of binary arithmetic.
    return Number((swap * 10 ** (digits - pipPosition)).toPrecision(12));
  };
}
