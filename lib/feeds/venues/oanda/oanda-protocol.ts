import type { Connection, Protocol } from "@/lib/feeds/live/connector";
import { LineSplitter } from "@/lib/feeds/live/line-splitter";
import { readJson, readPrice, readTime } from "@/lib/feeds/live/read-json";

/**
 * OANDA's pricing stream: one JSON object a line. A new stream begins with one price of each instrument, which on a closed
 * market is an old one with its own time. Heartbeats come every five seconds and are no prices.
 */
export class OandaProtocol implements Protocol {
  readonly #connection: Connection;
  readonly #lines = new LineSplitter();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  opened(): void {
    this.#connection.subscribed();
  }

  received(data: string | Buffer): void {
    for (const line of this.#lines.split(data)) {
      const message = readJson(line);
      if (message.type === "PRICE") this.#readPrice(message);
    }
  }

  #readPrice({ instrument, time, bids, asks }: Readonly<Record<string, unknown>>): void {
    const timeMs = readTime(time);
    const [bidPrices, askPrices] = [listPrices(bids), listPrices(asks)];
    // Without one of its sides, or without a time, it is no quote.
    if (timeMs === null || bidPrices.length === 0 || askPrices.length === 0) return;
    // The best price of a ladder need not be the first.
    this.#connection.price(String(instrument), Math.max(...bidPrices), Math.min(...askPrices), timeMs);
  }
}

function listPrices(levels: unknown): number[] {
  return Array.isArray(levels) ? (levels as { price?: unknown }[]).map((level) => readPrice(level?.price)) : [];
}
