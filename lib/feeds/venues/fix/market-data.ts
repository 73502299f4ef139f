import { type Connection, readPrice } from "@/lib/feeds/live/connector";
import { type FixField, type FixMessage, readEntryTime, readFixTime, TAG, TYPE } from "@/lib/feeds/venues/fix/messages";
import type { FixSession } from "@/lib/feeds/venues/fix/session";

/** The values of MDUpdateAction (279). */
const ACTION = { new: "0", change: "1", delete: "2" } as const;

/**
 * The prices of one connection, from snapshots (W), increments (X) and mass quotes (i).
 *
 * A price has the time of its entry (272, 273). Without one, it has the time when its message was sent, but for the first
 * price of a symbol on a connection, which is left out: the venue sends what it has then, and nobody knows how old it is.
 */
export class MarketData {
  readonly #connection: Connection;
  readonly #subscriptions: Subscriptions;
  readonly #books: ReadonlyMap<string, Book>;
  readonly #symbolTag: number;
  readonly #otherSymbolTag: number;
  /** The books that a message has changed, with the newest time of their entries. */
  readonly #changed = new Map<string, number | null>();

  constructor(connection: Connection, form: RequestForm, symbols: readonly string[]) {
    this.#connection = connection;
    this.#subscriptions = new Subscriptions(connection, form, symbols);
    this.#books = new Map(symbols.map((symbol) => [symbol, new Book()]));
    const tags = [TAG.symbol, TAG.securityId] as const;
    [this.#symbolTag, this.#otherSymbolTag] = form.symbolForm === "security" ? [tags[1], tags[0]] : tags;
  }

  /** Sends requests that were not sent yet. To be called twice a second from the logon on. */
  subscribe(session: FixSession): void {
    this.#subscriptions.tick((type, fields) => session.send(type, fields));
  }

  receive(message: FixMessage): void {
    switch (message.type) {
      case TYPE.snapshot:
        return this.#readSnapshot(message);
      case TYPE.increment:
        return this.#readIncrement(message);
      case TYPE.massQuote:
        return this.#readMassQuote(message);
      case TYPE.marketDataReject:
      case TYPE.businessReject:
      case TYPE.reject:
        return this.#subscriptions.readRefusal(message);
    }
  }

  /** A lost snapshot does not matter, as the next one has everything. Throws if a lost increment does. */
  lost(): void {
    for (const book of this.#books.values()) {
      if (book.isIncremental) throw new Error("changes of a book were lost; it begins again");
    }
  }

  #readSnapshot(message: FixMessage): void {
    const symbol = this.#findSymbol(message, 0, message.count) ?? this.#findRequested(message);
    const book = this.#books.get(symbol ?? "");
    if (symbol === undefined || book === undefined) return;
    book.clear();
    let timeMs: number | null = null;
    let entries = 0;
    for (let from = message.find(TAG.mdEntryType), to = from; from < message.count; from = to) {
      to = message.find(TAG.mdEntryType, from + 1);
      const side = message.valueAt(from);
      if (side === BID || side === OFFER) {
        const price = readPrice(message.get(TAG.mdEntryPx, from, to));
        book.add(message.get(TAG.mdEntryId, from, to) ?? side, side, price);
        timeMs = findLater(timeMs, this.#readEntryTime(message, from, to));
      }
      entries++;
    }
    // A group with another number of entries than it says cannot be trusted.
    if (entries !== message.readInteger(TAG.noMdEntries)) book.clear();
    this.#publish(symbol, book, message, timeMs);
  }

  #readIncrement(message: FixMessage): void {
    this.#changed.clear();
    let symbol = this.#findRequested(message);
    for (let from = message.find(TAG.mdUpdateAction), to = from; from < message.count; from = to) {
      to = message.find(TAG.mdUpdateAction, from + 1);
      // An entry without a symbol has that of the one before.
      symbol = this.#findSymbol(message, from, to) ?? symbol;
      const book = this.#books.get(symbol ?? "");
      if (symbol === undefined || book === undefined) continue;
      changeBook(book, message, from, to);
      const timeMs = findLater(this.#changed.get(symbol) ?? null, this.#readEntryTime(message, from, to));
      this.#changed.set(symbol, timeMs);
    }
    for (const [each, timeMs] of this.#changed) {
      const book = this.#books.get(each);
      if (book === undefined) continue;
      book.isIncremental = true;
      // A change behind the best price is no new quote.
      if (book.bid !== book.best(BID) || book.offer !== book.best(OFFER)) this.#publish(each, book, message, timeMs);
    }
  }

  /** Each entry of each set is a whole quote. The id of a set may be that of the request. */
  #readMassQuote(message: FixMessage): void {
    for (let set = message.find(TAG.quoteSetId), next = set; set < message.count; set = next) {
      next = message.find(TAG.quoteSetId, set + 1);
      for (let from = message.find(TAG.quoteEntryId, set, next), to = from; from < next; from = to) {
        to = message.find(TAG.quoteEntryId, from + 1, next);
        const requested = this.#subscriptions.findSymbol(message.valueAt(set));
        const symbol = this.#findSymbol(message, from, to) ?? requested ?? this.#findRequested(message);
        const book = this.#books.get(symbol ?? "");
        if (symbol === undefined || book === undefined) continue;
        book.clear();
        book.add(BID, BID, readPrice(message.get(TAG.bidPx, from, to)));
        book.add(OFFER, OFFER, readPrice(message.get(TAG.offerPx, from, to)));
        this.#publish(symbol, book, message, null);
      }
    }
  }

  #publish(symbol: string, book: Book, message: FixMessage, entryTimeMs: number | null): void {
    const isFirst = !book.hasBegun;
    book.hasBegun = true;
    book.bid = book.best(BID);
    book.offer = book.best(OFFER);
    this.#connection.subscribed();
    if (Number.isNaN(book.bid) || Number.isNaN(book.offer) || (isFirst && entryTimeMs === null)) return;
    this.#connection.price(symbol, book.bid, book.offer, entryTimeMs ?? readSentTime(message));
  }

  #findSymbol(message: FixMessage, from: number, to: number): string | undefined {
    return message.get(this.#symbolTag, from, to) ?? message.get(this.#otherSymbolTag, from, to);
  }

  #findRequested(message: FixMessage): string | undefined {
    return this.#subscriptions.findSymbol(message.get(TAG.mdReqId));
  }

  #readEntryTime(message: FixMessage, from: number, to: number): number | null {
    const time = message.get(TAG.mdEntryTime, from, to);
    if (time === undefined) return null;
    const date = message.get(TAG.mdEntryDate, from, to);
    return readEntryTime(date, time, date === undefined ? readSentTime(message) : null);
  }
}

function changeBook(book: Book, message: FixMessage, from: number, to: number): void {
  const action = message.valueAt(from);
  const given = message.get(TAG.mdEntryType, from, to);
  const id = message.get(TAG.mdEntryId, from, to) ?? given ?? "";
  const earlierId = message.get(TAG.mdEntryRefId, from, to) ?? id;
  const side = given ?? book.sideOf(earlierId);
  // A change may be of the size only.
  const price = message.get(TAG.mdEntryPx, from, to);
  const earlierPrice = action === ACTION.change ? book.priceOf(earlierId) : NaN;
  book.remove(earlierId);
  book.remove(id);
  if (action === ACTION.new || action === ACTION.change) {
    book.add(id, side, price === undefined ? earlierPrice : readPrice(price));
  }
}

/** A message that is sent again has the time of its first sending. */
function readSentTime(message: FixMessage): number | null {
  const first = message.isPossibleDuplicate ? message.get(TAG.origSendingTime) : undefined;
  return readFixTime(first ?? message.get(TAG.sendingTime));
}

const findLater = (one: number | null, other: number | null) => (one === null || (other ?? 0) > one ? other : one);

/** The values of MDEntryType (269) of quotes. */
const BID = "0";
const OFFER = "1";

/** No book of one symbol comes near. */
const MAX_ENTRIES = 5_000;

/** The entries of one symbol. They are few, so lists without objects are the fastest. */
class Book {
  /** Whether a message of this symbol has come on this connection. */
  hasBegun = false;
  /** Whether changes were applied, so that a lost one would make it wrong. */
  isIncremental = false;
  /** What was published last; NaN if nothing was. */
  bid = NaN;
  offer = NaN;
  readonly #ids: string[] = [];
  readonly #sides: string[] = [];
  readonly #prices: number[] = [];
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  #find(id: string): number {
    for (let index = 0; index < this.#count; index++) if (this.#ids[index] === id) return index;
    return -1;
  }

  sideOf(id: string): string {
    return this.#sides[this.#find(id)] ?? "";
  }

  /** NaN if there is no such entry. */
  priceOf(id: string): number {
    return this.#prices[this.#find(id)] ?? NaN;
  }

  /** Adds an entry. One whose price is no number, or that is of another kind, is left out. */
  add(id: string, side: string, price: number): void {
    if (Number.isNaN(price) || (side !== BID && side !== OFFER)) return;
    if (this.#count >= MAX_ENTRIES) throw new Error(`a book has more than ${MAX_ENTRIES} entries`);
    this.#ids[this.#count] = id;
    this.#sides[this.#count] = side;
    this.#prices[this.#count] = price;
    this.#count++;
  }

  remove(id: string): void {
    const index = this.#find(id);
    if (index === -1) return;
    const last = --this.#count;
    this.#ids[index] = this.#ids[last] ?? "";
    this.#sides[index] = this.#sides[last] ?? "";
    this.#prices[index] = this.#prices[last] ?? NaN;
  }

  /** The highest bid or the lowest offer; NaN if there is none. */
  best(side: typeof BID | typeof OFFER): number {
    let best = NaN;
    for (let index = 0; index < this.#count; index++) {
      if (this.#sides[index] !== side) continue;
      const price = this.#prices[index] ?? NaN;
      if (Number.isNaN(best) || (side === BID ? price > best : price < best)) best = price;
    }
    return best;
  }
}

/** How a venue wants its prices to be requested. */
export interface RequestForm {
  /** A name in Symbol (55), the venue's number in Symbol, or the venue's number in SecurityID (48 with 22=8). */
  readonly symbolForm: "name" | "number" | "security";
  /** MarketDepth (264): 1 is the best price, 0 the whole book. */
  readonly marketDepth: 0 | 1;
  /** MDUpdateType (265): 0 asks for whole snapshots, 1 for changes. */
  readonly updateType: 0 | 1;
  readonly symbolsPerRequest: number;
}

interface Request {
  /** MDReqID. */
  readonly id: string;
  /** MsgSeqNum of the message; 0 until it is sent. */
  number: number;
  readonly symbols: readonly string[];
}

/** Venues limit the rate of messages: at LMAX, too many end the connection. */
const REQUESTS_PER_TICK = 25;

/** MDReqRejReason (281), for venues that give no text. */
const REASONS: Readonly<Record<string, string>> = {
  0: "unknown symbol",
  1: "duplicate request",
  2: "insufficient bandwidth",
  3: "insufficient permissions",
  4: "unsupported subscription type",
  5: "unsupported market depth",
  6: "unsupported update type",
};

/** The requests of one connection for market data, and which of them the venue refused. */
class Subscriptions {
  readonly #connection: Connection;
  readonly #form: RequestForm;
  readonly #requests: readonly Request[];
  #sent = 0;
  readonly #refused = new Set<Request>();
  /** The symbol of each request that has only one, by its MDReqID. */
  readonly #symbolById = new Map<string, string>();

  constructor(connection: Connection, form: RequestForm, symbols: readonly string[]) {
    this.#connection = connection;
    this.#form = form;
    const count = Math.ceil(symbols.length / form.symbolsPerRequest);
    this.#requests = Array.from({ length: count }, (_, index) => {
      const part = symbols.slice(index * form.symbolsPerRequest, (index + 1) * form.symbolsPerRequest);
      return { id: String(index + 1), number: 0, symbols: part };
    });
    for (const { id, symbols: part } of this.#requests) {
      if (part[0] !== undefined && part.length === 1) this.#symbolById.set(id, part[0]);
    }
  }

  /**
   * Sends the next requests. To be called twice a second.
   *
   * @param send sends a message and returns its number
   */
  tick(send: (type: string, fields: readonly FixField[]) => number): void {
    if (this.#sent === this.#requests.length) return;
    const next = this.#requests.slice(this.#sent, this.#sent + REQUESTS_PER_TICK);
    for (const request of next) request.number = send(TYPE.marketDataRequest, this.#listFields(request));
    this.#sent += next.length;
  }

  /** The symbol of a message without one: that of its request. Undefined if the request has several. */
  findSymbol(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#symbolById.get(id);
  }

  /** Reads a Reject, a BusinessMessageReject or a MarketDataRequestReject. Throws once the venue refused all requests. */
  readRefusal(message: FixMessage): void {
    const text = message.readText(TAG.text) || REASONS[message.get(TAG.mdReqRejReason) ?? ""] || "no reason given";
    const [id, number] = [message.get(TAG.mdReqId), message.readInteger(TAG.refSeqNum)];
    const request = this.#requests.find((each) => (id === undefined ? each.number === number : each.id === id));
    if (request === undefined) return this.#connection.warn(`a message was refused: ${text}`);
    this.#connection.warn(`${request.symbols.join(", ")}: ${text}`);
    this.#refused.add(request);
    if (this.#refused.size === this.#requests.length) throw new Error(`the venue refused every request: ${text}`);
  }

  #listFields({ id, symbols }: Request): FixField[] {
    const { symbolForm, marketDepth, updateType } = this.#form;
    return [
      [TAG.mdReqId, id],
      [TAG.subscriptionRequestType, 1],
      [TAG.marketDepth, marketDepth],
      [TAG.mdUpdateType, updateType],
      [TAG.noMdEntryTypes, 2],
      [TAG.mdEntryType, 0],
      [TAG.mdEntryType, 1],
      [TAG.noRelatedSym, symbols.length],
      ...symbols.flatMap((symbol): FixField[] =>
        symbolForm === "security"
          ? [
              [TAG.securityId, symbol],
              [TAG.securityIdSource, 8],
            ]
          : [[TAG.symbol, symbol]],
      ),
    ];
  }
}
