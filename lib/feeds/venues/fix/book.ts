import { readPrice } from "@/lib/feeds/live/connector";
import { type FixMessage, TAG } from "@/lib/feeds/venues/fix/messages";

/** The values of MDEntryType (269) that matter here: the two sides, and the statement that there is no entry. */
export const BID = "0";
export const OFFER = "1";
const EMPTY_BOOK = "J";
export type Side = typeof BID | typeof OFFER;

/** The values of MDUpdateAction (279). */
const ACTION = { new: "0", change: "1", delete: "2" } as const;

/** A value of QuoteCondition (276), which has several with spaces between them. */
const CLOSED = "B";

/** No book of one symbol comes near. */
const MAX_ENTRIES = 5_000;

/** What a message says of one entry. Empty strings and NaN are what it does not say. */
export interface StatedEntry {
  /** MDEntryType (269). */
  readonly type: string;
  /** MDEntryID (278). */
  readonly id: string;
  /** MDEntryRefID (280): the id that a change replaces. */
  readonly earlierId: string;
  /** MDEntryPositionNo (290), as it is written. */
  readonly position: string;
  /** MDEntryPx (270), as it is written. */
  readonly price: string;
  /** MDEntrySize (271). */
  readonly size: number;
  /** QuoteCondition (276). */
  readonly condition: string;
  /** MDEntryOriginator (282) or MDMkt (275), whichever comes first: whose quote it is. */
  readonly maker: string;
}

/** Reads the entry in the fields from one index up to another. Of a field that comes twice, the first one counts. */
export function readEntry(message: FixMessage, from: number, to: number): StatedEntry {
  const stated = { type: "", id: "", earlierId: "", position: "", price: "", size: NaN, condition: "", maker: "" };
  for (let at = to - 1; at >= from; at--) {
    switch (message.tagAt(at)) {
      case TAG.mdEntryType:
        stated.type = message.valueAt(at);
        break;
      case TAG.mdEntryId:
        stated.id = message.valueAt(at);
        break;
      case TAG.mdEntryRefId:
        stated.earlierId = message.valueAt(at);
        break;
      case TAG.mdEntryPositionNo:
        stated.position = message.valueAt(at);
        break;
      case TAG.mdEntryPx:
        stated.price = message.valueAt(at);
        break;
      case TAG.mdEntrySize:
        stated.size = readPrice(message.valueAt(at));
        break;
      case TAG.quoteCondition:
        stated.condition = message.valueAt(at);
        break;
      case TAG.mdEntryOriginator:
      case TAG.mdMkt:
        stated.maker = message.valueAt(at);
        break;
    }
  }
  return stated;
}

/** An entry of a book, whether its price counts or not: later messages may name it. */
interface Entry {
  side: Side;
  /** Empty without MDEntryID. */
  id: string;
  /** NaN where the position does not name the entry. */
  position: number;
  /** NaN if the venue has not said one. */
  price: number;
  isClosed: boolean;
  /** Whether it had a size above 0. Some venues state the size 0 always; at the others, a change to 0 ends a level. */
  hasHadSize: boolean;
  isUsedUp: boolean;
}

/**
 * The entries of one symbol, from snapshots and changes. Later messages name an entry by its MDEntryID. Those without one
 * are named by their side if only the best price was requested; else by their position on their side where the venue
 * states it, else by their side and price.
 *
 * A change that names no entry, or more than one, throws: a message was lost or means something else at this venue, and
 * the best price might be wrong from then on. This holds for the change of an unknown price, too: in FIX, a change without
 * an id replaces the last quote of a venue that sends only its best ones, so it cannot simply be read as a new level.
 */
export class Book {
  /** Whether a message of this symbol has come on this connection. */
  hasBegun = false;
  /** Whether changes were applied, so that a lost one would make it wrong. */
  isIncremental = false;
  /** Whether a snapshot in several messages is not complete yet. */
  isPartial = false;
  /** What was published last; NaN if nothing was. */
  bid = NaN;
  offer = NaN;
  readonly #symbol: string;
  readonly #isBestOnly: boolean;
  #entries: Entry[] = [];
  /** Whether a snapshot gave both sides of a quote the same id. */
  #sharesIds = false;
  #maker = "";
  #hasSeveralMakers = false;

  constructor(symbol: string, marketDepth: number) {
    this.#symbol = symbol;
    this.#isBestOnly = marketDepth === 1;
  }

  clear(): void {
    this.#entries = [];
    this.#sharesIds = false;
    this.#maker = "";
    this.#hasSeveralMakers = false;
  }

  /** Adds an entry of a snapshot. One of another kind than bids and offers is left out. */
  add(stated: StatedEntry): void {
    if (!isSide(stated.type)) return;
    if (stated.id !== "") this.#sharesIds ||= this.#findId(stated.id, otherSide(stated.type)).length > 0;
    else this.#noteMaker(stated.maker);
    const position = stated.id === "" && !this.#isBestOnly ? readPosition(stated.position) : NaN;
    this.#push(stated.type, position, stated);
  }

  /** Applies one entry of an increment. Throws if the book cannot be right afterwards. */
  change(action: string, stated: StatedEntry): void {
    if (stated.type === EMPTY_BOOK) return this.clear();
    const name = stated.earlierId || stated.id;
    const isOther = stated.type !== "" && !isSide(stated.type);
    // Trades, opening prices and the like, which some venues send unasked.
    if (isOther && (action === ACTION.new || this.#findId(name).length === 0)) return;
    switch (action) {
      case ACTION.new:
        return this.#insert(stated);
      case ACTION.change:
        return isOther ? this.#remove(this.#find(stated)) : this.#replace(stated);
      case ACTION.delete:
        return this.#delete(stated);
      default:
        throw this.#fault(`a change of its book has the unknown action ${action}`);
    }
  }

  /**
   * Returns the highest bid or the lowest offer; NaN if there is none. Closed ones do not count, nor does the price 0, with
   * which venues mark a side without an offer.
   */
  best(side: Side): number {
    let best = NaN;
    for (const entry of this.#entries) {
      if (entry.side !== side || !isQuote(entry)) continue;
      if (Number.isNaN(best) || isBetter(side, entry.price, best)) best = entry.price;
    }
    return best;
  }

  /**
   * After an increment: throws if the entry in front of the others with positions does not have the best price of them, as
   * then the positions are not those of the venue.
   */
  checkPositions(): void {
    for (const side of [BID, OFFER] as const) {
      let front: Entry | undefined;
      let best = NaN;
      for (const entry of this.#entries) {
        if (entry.side !== side || Number.isNaN(entry.position) || !isQuote(entry)) continue;
        if (front === undefined || entry.position < front.position) front = entry;
        if (Number.isNaN(best) || isBetter(side, entry.price, best)) best = entry.price;
      }
      if (front !== undefined && front.price !== best) {
        throw this.#fault("the positions in its book are not in the order of the prices");
      }
    }
  }

  #insert(stated: StatedEntry): void {
    const side = stated.type;
    if (!isSide(side)) throw this.#fault("a new entry of its book has no side");
    if (stated.id !== "") {
      // Some venues give an active id anew instead of changing its entry.
      const same = this.#findId(stated.id, side);
      if (same.length > 0) return this.#renew(this.#theOnly(same, stated), stated);
      this.#checkIsFree(stated.id, side);
      if (this.#isBestOnly) this.#entries = this.#entries.filter((each) => each.side !== side || each.id !== "");
      return this.#push(side, NaN, stated);
    }
    if (this.#isBestOnly) {
      const before = this.#findOnSide(side, stated);
      return before === undefined ? this.#push(side, NaN, stated) : this.#renew(before, stated);
    }
    if (stated.position !== "") return this.#insertAt(readPosition(stated.position), side, stated);
    this.#checkMaker(stated);
    const price = readPrice(stated.price);
    if (Number.isNaN(price)) throw this.#fault("a new entry of its book has neither an id nor a position nor a price");
    const same = this.#entries.find((each) => each.side === side && each.id === "" && each.price === price);
    if (same === undefined) this.#push(side, NaN, stated);
    else this.#renew(same, stated);
  }

  /** Inserts an entry. The entries at this position and behind it move back by one. */
  #insertAt(position: number, side: Side, stated: StatedEntry): void {
    const isNext = position <= 1 || this.#entries.some((each) => each.side === side && each.position === position - 1);
    if (!isNext) throw this.#fault(`a new entry of its book has the position ${stated.position}, behind a gap`);
    for (const each of this.#entries) if (each.side === side && each.position >= position) each.position++;
    this.#push(side, position, stated);
  }

  #replace(stated: StatedEntry): void {
    if (stated.id === "" && stated.earlierId === "" && this.#isBestOnly && isSide(stated.type) && stated.price !== "") {
      // It says the whole best price of its side, so it does not matter whether there was one.
      if (this.#findOnSide(stated.type, stated) === undefined) return this.#push(stated.type, NaN, stated);
    }
    const entry = this.#find(stated);
    const side = isSide(stated.type) ? stated.type : entry.side;
    if (stated.id !== "" && (stated.id !== entry.id || side !== entry.side)) this.#checkIsFree(stated.id, side, entry);
    entry.side = side;
    entry.id = stated.id || entry.id;
    this.#state(entry, stated);
  }

  #delete(stated: StatedEntry): void {
    const name = stated.earlierId || stated.id;
    if (name === "" && this.#isBestOnly && isSide(stated.type)) {
      // A side without a price is what it asks for.
      if (this.#findOnSide(stated.type, stated) === undefined) return;
    }
    // Without a side, an id of both sides of a quote ends both.
    const both = name !== "" && stated.type === "" && this.#sharesIds ? this.#findId(name) : [];
    for (const entry of both.length > 0 ? both : [this.#find(stated)]) this.#remove(entry);
  }

  /** Returns the entry that a change names. Throws if there is none or more than one. */
  #find(stated: StatedEntry): Entry {
    const { type, price } = stated;
    const name = stated.earlierId || stated.id;
    if (name !== "") {
      const named = this.#findId(name);
      const onSide = named.filter((each) => each.side === type);
      // Without one on the side that it states, the entry moves to that side.
      return this.#theOnly(onSide.length > 0 || (this.#sharesIds && isSide(type)) ? onSide : named, stated);
    }
    if (this.#isBestOnly)
      return this.#theOnly(
        this.#entries.filter((each) => each.side === type),
        stated,
      );
    if (stated.position !== "") {
      const position = readPosition(stated.position);
      return this.#theOnly(
        this.#entries.filter((each) => each.side === type && each.position === position),
        stated,
      );
    }
    this.#checkMaker(stated);
    const value = readPrice(price);
    return this.#theOnly(
      this.#entries.filter((each) => each.side === type && each.price === value),
      stated,
    );
  }

  #findId(id: string, side?: Side): Entry[] {
    if (id === "") return [];
    return this.#entries.filter((each) => each.id === id && (side === undefined || each.side === side));
  }

  /** Returns the one entry of a side of which only the best price was requested; undefined if it has none. */
  #findOnSide(side: Side, stated: StatedEntry): Entry | undefined {
    const onSide = this.#entries.filter((each) => each.side === side);
    return onSide.length === 0 ? undefined : this.#theOnly(onSide, stated);
  }

  #theOnly(found: readonly Entry[], { type, id, earlierId, position, price }: StatedEntry): Entry {
    const [entry] = found;
    if (entry !== undefined && found.length === 1) return entry;
    const names = { 269: type, 278: id, 280: earlierId, 290: position, 270: price };
    const fields = Object.entries(names).flatMap(([tag, value]) => (value === "" ? [] : [`${tag}=${value}`]));
    const what = entry === undefined ? "an entry that its book does not have" : "several entries of its book at once";
    throw this.#fault(`a change names ${what} (${fields.join(" ") || "no field says which"})`);
  }

  /** Throws if another entry has this id: it would be unclear from then on which of them is meant. */
  #checkIsFree(id: string, side: Side, except?: Entry): void {
    const others = this.#findId(id, this.#sharesIds ? side : undefined).filter((each) => each !== except);
    if (others.length > 0) throw this.#fault(`two entries of its book have the id ${id}`);
  }

  #noteMaker(maker: string): void {
    if (maker !== "" && this.#maker !== "" && maker !== this.#maker) this.#hasSeveralMakers = true;
    this.#maker ||= maker;
  }

  /** Throws if a price alone does not say which entry is meant: each maker's new quote replaces that maker's last one. */
  #checkMaker({ maker }: StatedEntry): void {
    this.#noteMaker(maker);
    if (!this.#hasSeveralMakers) return;
    throw this.#fault(
      "its book has entries of several makers without MDEntryID; set marketDepth to 1 or updateType to 0",
    );
  }

  #push(side: Side, position: number, stated: StatedEntry): void {
    if (this.#entries.length >= MAX_ENTRIES) throw this.#fault(`its book has more than ${MAX_ENTRIES} entries`);
    const flags = { isClosed: false, hasHadSize: false, isUsedUp: false };
    const entry: Entry = { side, id: stated.id, position, price: NaN, ...flags };
    this.#state(entry, stated);
    this.#entries.push(entry);
  }

  /** A new entry in the place of an earlier one. */
  #renew(entry: Entry, stated: StatedEntry): void {
    entry.id = stated.id;
    entry.price = NaN;
    entry.isClosed = false;
    this.#state(entry, stated);
  }

  /** What a message does not say stays as it was. */
  #state(entry: Entry, { price, size, condition }: StatedEntry): void {
    if (price !== "") entry.price = readPrice(price);
    if (condition !== "") entry.isClosed = condition.split(" ").includes(CLOSED);
    if (Number.isNaN(size)) return;
    entry.isUsedUp = size === 0 && entry.hasHadSize;
    entry.hasHadSize ||= size > 0;
  }

  /** Removes an entry. The entries behind its position move up by one. */
  #remove(entry: Entry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    for (const each of this.#entries) {
      if (each.side === entry.side && each.position > entry.position) each.position--;
    }
  }

  #fault(reason: string): Error {
    return new Error(`${this.#symbol}: ${reason}`);
  }
}

const isSide = (type: string): type is Side => type === BID || type === OFFER;
const otherSide = (side: Side): Side => (side === BID ? OFFER : BID);
const isBetter = (side: Side, price: number, other: number) => (side === BID ? price > other : price < other);

/** A price that is no number, or the 0 of a side without an offer, is none. */
const isQuote = ({ price, isClosed, isUsedUp }: Entry) => !isClosed && !isUsedUp && price !== 0 && !Number.isNaN(price);

/** NaN for anything but a whole number. */
const readPosition = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : NaN);
