/** Prices are integers in this unit, whatever the digits of the symbol. */
const UNITS = 100_000;

interface Sides {
  bid: number | null;
  ask: number | null;
}

type SpotEvent = Readonly<Record<string, unknown>>;
type Report = (symbol: string, bid: number, ask: number, timeMs: number | null) => void;

/**
 * Both sides of each symbol on one connection. An event has only the sides that changed. The first event after a
 * subscription is the last price, of any age; without a time it is only remembered.
 */
export class SpotPrices {
  readonly #sides = new Map<string, Sides>();

  /** Call it before each subscription: prices may have changed meanwhile. */
  clear(): void {
    this.#sides.clear();
  }

  read(symbol: string, { bid, ask, timestamp }: SpotEvent, report: Report): void {
    if (bid == null && ask == null) return;
    const known = this.#sides.get(symbol);
    const sides: Sides = { bid: readSide(bid, known?.bid), ask: readSide(ask, known?.ask) };
    const isOfUnknownAge = timestamp == null && known === undefined;
    if (isValid(sides.bid) && isValid(sides.ask)) this.#sides.set(symbol, sides);
    if (isOfUnknownAge || sides.bid === null || sides.ask === null) return;
    report(symbol, sides.bid, sides.ask, timestamp == null ? null : Number(timestamp));
  }
}

const readSide = (value: unknown, known: number | null = null) => (value == null ? known : Number(value) / UNITS);

/** A side that cannot be a price must not be completed by later events. The intake refuses and counts it. */
const isValid = (side: number | null) => side === null || side > 0;
