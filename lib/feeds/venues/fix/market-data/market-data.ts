import type { Connection } from "@/lib/feeds/live/connector";
import { readPrice } from "@/lib/feeds/live/read-json";
import { BID, Book, OFFER } from "@/lib/feeds/venues/fix/market-data/book";
import { type RequestForm, Subscriptions } from "@/lib/feeds/venues/fix/market-data/subscriptions";
import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { readEntryTime, readFixTime } from "@/lib/feeds/venues/fix/messages/fix-time";
import { TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import type { FixSession } from "@/lib/feeds/venues/fix/session/fix-session";

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
