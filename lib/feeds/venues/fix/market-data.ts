import type { Connection } from "@/lib/feeds/live/connector";
import { BID, Book, OFFER, readEntry, type StatedEntry } from "@/lib/feeds/venues/fix/book";
import { type FixField, type FixMessage, readEntryTime, readFixTime, TAG, TYPE } from "@/lib/feeds/venues/fix/messages";
import type { FixSession } from "@/lib/feeds/venues/fix/session";

/** What market data tells its connection. */
type Market = Pick<Connection, "price" | "subscribed" | "warn">;

/**
 * The prices of one connection, from snapshots (W), increments (X) and mass quotes (i).
 *
 * A price has the time of its entry (272, 273). Without one, it has the time when its message was sent, but for the first
 * price of a symbol on a connection, which is left out: the venue sends what it has then, and nobody knows how old it is.
 */
export class MarketData {
  readonly #connection: Market;
  readonly #subscriptions: Subscriptions;
  readonly #books: ReadonlyMap<string, Book>;
  readonly #symbolTag: number;
  readonly #otherSymbolTag: number;
  /** The books that a message has changed, with the newest time of their entries. */
  readonly #changed = new Map<string, number | null>();
  #hasWarned = false;

  constructor(connection: Market, form: RequestForm, symbols: readonly string[]) {
    this.#connection = connection;
    this.#subscriptions = new Subscriptions(connection, form, symbols);
    this.#books = new Map(symbols.map((symbol) => [symbol, new Book(symbol, form.marketDepth)]));
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

  /** A lost snapshot does not matter, as the next one has everything. Throws if a lost increment or a lost part does. */
  lost(): void {
    for (const book of this.#books.values()) {
      if (book.isIncremental || book.isPartial) throw new Error("changes of a book were lost; it begins again");
    }
  }

  #readSnapshot(message: FixMessage): void {
    this.#changed.clear();
    const symbol = this.#findSymbol(message, 0, message.count) ?? this.#findRequested(message);
    this.#beginBook(symbol);
    // A group with another number of entries than it says cannot be trusted: the book is empty then.
    for (const { from, to, named } of this.#listEntries(message, TAG.mdEntryType) ?? []) {
      const entry = readEntry(message, from, to);
      this.#beginBook(named ?? symbol)?.add(entry);
      this.#noteTime(named ?? symbol, entry, this.#readEntryTime(message, from, to));
    }
    const isLast = isLastPart(message);
    for (const [each, timeMs] of this.#changed) {
      const book = this.#books.get(each);
      if (book === undefined) continue;
      book.isPartial = !isLast;
      if (isLast) this.#publish(each, book, message, timeMs);
    }
  }

  #readIncrement(message: FixMessage): void {
    this.#changed.clear();
    const entries = this.#listEntries(message, TAG.mdUpdateAction);
    if (entries === null) throw new Error("the changes of a book are not as many as their message says");
    for (const { from, to, named } of entries) {
      const symbol = named ?? this.#findRequested(message);
      if (symbol === undefined) throw new Error("a change of a book names no symbol, and its request has several");
      const book = this.#findBook(symbol);
      if (book === undefined) continue;
      const entry = readEntry(message, from, to);
      book.change(message.get(TAG.mdUpdateAction, from, to) ?? "", entry);
      this.#noteTime(symbol, entry, this.#readEntryTime(message, from, to));
    }
    const isLast = isLastPart(message);
    for (const [each, timeMs] of this.#changed) {
      const book = this.#books.get(each);
      if (book === undefined) continue;
      book.isIncremental = true;
      if (!isLast || book.isPartial) continue;
      book.checkPositions();
      // A change behind the best price is no new quote.
      if (book.bid !== book.best(BID) || book.offer !== book.best(OFFER)) this.#publish(each, book, message, timeMs);
    }
  }

  /**
   * The entries of one message are the whole quote of their symbol: a provider's prices for larger amounts are further
   * entries. The id of a set may be that of the request.
   */
  #readMassQuote(message: FixMessage): void {
    this.#changed.clear();
    const firstSet = message.find(TAG.quoteSetId);
    const root = this.#findSymbol(message, 0, firstSet);
    for (let set = firstSet, next = set; set < message.count; set = next) {
      next = message.find(TAG.quoteSetId, set + 1);
      const first = message.find(TAG.quoteEntryId, set, next);
      const ofSet =
        this.#findSymbol(message, set, first) ?? root ?? this.#subscriptions.findSymbol(message.valueAt(set));
      for (let from = first, to = from; from < next; from = to) {
        to = message.find(TAG.quoteEntryId, from + 1, next);
        const symbol = this.#findSymbol(message, from, to) ?? ofSet ?? this.#findRequested(message);
        const book = this.#beginBook(symbol);
        const entry = readEntry(message, from, to);
        book?.add({ ...entry, type: BID, price: message.get(TAG.bidPx, from, to) ?? "" });
        book?.add({ ...entry, type: OFFER, price: message.get(TAG.offerPx, from, to) ?? "" });
      }
    }
    for (const symbol of this.#changed.keys()) {
      const book = this.#books.get(symbol);
      if (book !== undefined) this.#publish(symbol, book, message, null);
    }
  }

  /** Returns the book that a message states as a whole: empty when its first entry comes. */
  #beginBook(symbol: string | undefined): Book | undefined {
    const book = this.#findBook(symbol);
    if (symbol === undefined || book === undefined || this.#changed.has(symbol)) return book;
    if (!book.isPartial) book.clear();
    this.#changed.set(symbol, null);
    return book;
  }

  #findBook(symbol: string | undefined): Book | undefined {
    const book = this.#books.get(symbol ?? "");
    if (book !== undefined || this.#hasWarned) return book;
    this.#hasWarned = true;
    const what = symbol === undefined ? "without a symbol" : `of ${symbol}, which was not asked for,`;
    this.#connection.warn(`prices ${what} are ignored`);
    return undefined;
  }

  #noteTime(symbol: string | undefined, { type }: StatedEntry, timeMs: number | null): void {
    if (symbol === undefined || !this.#books.has(symbol)) return;
    const before = this.#changed.get(symbol) ?? null;
    // The time of other kinds of entries, such as the high of the day, says nothing about the quote.
    this.#changed.set(symbol, type === "" || type === BID || type === OFFER ? findLater(before, timeMs) : before);
  }

  /**
   * Finds the entries of the group that NoMDEntries (268) begins. Returns null if they are not as many as it says. An entry
   * that names no symbol has the one before the group; without that, it has the symbol of the entry before it.
   *
   * @param usual the field with which each entry begins in the specification; some venues begin with another one
   */
  #listEntries(message: FixMessage, usual: number): Place[] | null {
    const group = message.find(TAG.noMdEntries);
    const count = message.readInteger(TAG.noMdEntries);
    for (const tag of [message.tagAt(group + 1), usual]) {
      const starts: number[] = [];
      for (let at = message.find(tag, group + 1); at < message.count; at = message.find(tag, at + 1)) starts.push(at);
      if (starts.length !== count) continue;
      const before = this.#findSymbol(message, 0, group);
      let named = before;
      return starts.map((from, index) => {
        const to = starts[index + 1] ?? message.count;
        named = this.#findSymbol(message, from, to) ?? before ?? named;
        return { from, to, named };
      });
    }
    return null;
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

/** Where an entry of a message is, and the symbol that the message names for it. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly named: string | undefined;
}

/** LastFragment (893) says whether more messages belong to this one; most venues leave it out. */
const isLastPart = (message: FixMessage) => message.get(TAG.lastFragment) !== "N";

/** A message that is sent again has the time of its first sending. */
function readSentTime(message: FixMessage): number | null {
  const first = message.isPossibleDuplicate ? message.get(TAG.origSendingTime) : undefined;
  return readFixTime(first ?? message.get(TAG.sendingTime));
}

const findLater = (one: number | null, other: number | null) => (one === null || (other ?? 0) > one ? other : one);

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
  readonly #connection: Market;
  readonly #form: RequestForm;
  readonly #requests: readonly Request[];
  #sent = 0;
  readonly #refused = new Set<Request>();
  /** The symbol of each request that has only one, by its MDReqID. */
  readonly #symbolById = new Map<string, string>();

  constructor(connection: Market, form: RequestForm, symbols: readonly string[]) {
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
