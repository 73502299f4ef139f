import { collectFacts, readFact } from "@/lib/feeds/symbol-facts";
import type { RequestForm } from "@/lib/feeds/venues/fix/market-data";
import { type FixField, type FixMessage, TAG, TYPE } from "@/lib/feeds/venues/fix/messages";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { countDigits } from "@/lib/market/price";

/** A symbol of the venue's list. */
export interface Security {
  /** What is subscribed to: its number or its name, as the form of symbols demands. */
  readonly id: string;
  /** Under its name, if it has one beside its number. */
  readonly facts: SymbolFacts;
}

/** SecurityListRequestType (559): 0 asks for one symbol, and at some venues for all; 4 asks for all. */
export type ListRequestType = 0 | 4;

const LIST_ID = "list";
/** SecurityRequestResult (560), for venues that give no text. */
const RESULTS: Readonly<Record<string, string>> = {
  1: "invalid or unsupported request",
  2: "no instruments were found",
  3: "not authorised",
  4: "temporarily unavailable",
  5: "not supported",
};

/** The list of a venue's symbols, from one SecurityList (y) or several. */
export class SecurityList {
  readonly #form: RequestForm["symbolForm"];
  readonly #securities: Security[] = [];
  #requestNumber = NaN;

  constructor(form: RequestForm["symbolForm"]) {
    this.#form = form;
  }

  get securities(): readonly Security[] {
    return this.#securities;
  }

  /** @param send sends a message and returns its number */
  request(type: ListRequestType, send: (type: string, fields: readonly FixField[]) => number): void {
    this.#requestNumber = send(TYPE.securityListRequest, [
      [TAG.securityReqId, LIST_ID],
      [TAG.securityListRequestType, type],
    ]);
  }

  /** Whether a message says that the venue has no list, or does not know the request. */
  isRefusal(message: FixMessage): boolean {
    if (message.type !== TYPE.reject && message.type !== TYPE.businessReject) return false;
    const isOfType = message.get(TAG.refMsgType) === TYPE.securityListRequest;
    return isOfType || message.readInteger(TAG.refSeqNum) === this.#requestNumber;
  }

  /** Reads a SecurityList. Returns whether the list is whole now. Throws an Error if the venue refuses it. */
  read(message: FixMessage): boolean {
    const result = message.get(TAG.securityRequestResult) ?? "0";
    if (result !== "0") throw new Error(message.readText(TAG.text) || RESULTS[result] || `result ${result}`);
    this.#readGroup(message);
    const total = message.readInteger(TAG.totNoRelatedSym);
    const isLast = message.get(TAG.lastFragment) !== "N";
    return isLast && !(this.#securities.length < total);
  }

  #readGroup(message: FixMessage): void {
    const group = message.find(TAG.noRelatedSym);
    const first = message.tagAt(group + 1);
    const starts: number[] = [];
    for (let at = group + 1; at < message.count; at = message.find(first, at + 1)) starts.push(at);
    if (starts.length !== (message.readInteger(TAG.noRelatedSym) || 0)) {
      throw new Error("its symbols are not as many as it says");
    }
    for (const [index, from] of starts.entries()) {
      const security = readSecurity(message, from, starts[index + 1] ?? message.count, this.#form);
      if (security !== null) this.#securities.push(security);
    }
  }
}

function readSecurity(message: FixMessage, from: number, to: number, form: RequestForm["symbolForm"]): Security | null {
  const get = (tag: number) => message.get(tag, from, to);
  const id = form === "security" ? (get(TAG.securityId) ?? get(TAG.symbol)) : get(TAG.symbol);
  if (id === undefined || id === "") return null;
  const name = get(TAG.symbolName) ?? (form === "security" ? get(TAG.symbol) : undefined) ?? id;
  const currency = get(TAG.currency);
  // Some venues state the first currency of pairs.
  const isBase = currency !== undefined && name.toUpperCase().startsWith(currency.toUpperCase());
  const contract = readFact(get(TAG.contractMultiplier));
  const [minVolume, volumeStep] = [readFact(get(TAG.minTradeVol)), readFact(get(TAG.roundLot))];
  const areSizesSaid = minVolume !== undefined || volumeStep !== undefined;
  return {
    id,
    facts: collectFacts(name, {
      digits: readDigits(get(TAG.symbolDigits), get(TAG.minPriceIncrement)),
      description: decode(get(TAG.securityDesc)),
      kind: KINDS[get(TAG.securityType) ?? ""] ?? PRODUCTS[get(TAG.product) ?? ""],
      quote: isBase ? undefined : currency,
      // Without a multiplier, sizes are in units.
      contractSize: contract ?? (areSizesSaid ? 1 : undefined),
      minVolume,
      maxVolume: readFact(get(TAG.maxTradeVol)),
      volumeStep,
    }),
  };
}

/** SecurityType (167) and Product (460), where they say the kind. */
const KINDS: Readonly<Record<string, string>> = {
  FOR: "forex",
  FXSPOT: "forex",
  CS: "stock",
  PS: "stock",
  ETF: "etf",
  FUT: "future",
};
const PRODUCTS: Readonly<Record<string, string>> = { 2: "commodity", 4: "currency", 5: "stock", 6: "bond", 7: "index" };

function readDigits(said: string | undefined, increment: string | undefined): number | undefined {
  const step = readFact(increment);
  return readFact(said) ?? (step === undefined || step <= 0 ? undefined : countDigits(step));
}

/** A text for people may have any characters of UTF-8. */
function decode(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, "latin1").toString();
}
