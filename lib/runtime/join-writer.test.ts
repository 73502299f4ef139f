import { afterAll, expect, test } from "vitest";
import { type BookUpdate, createBook } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { dropInstruments, instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { ChangeFollower } from "@/lib/readers/change-follower";
import type { Changes, Snapshot } from "@/lib/readers/messages";
import { Publisher } from "@/lib/readers/publisher";
import { joinWriter } from "@/lib/runtime/join-writer";
import { HOUR_MS } from "@/lib/time/units";

const database = await openTestDatabase();
afterAll(() => database.cleanup());

const SYMBOL = "BTCUSD";
const SOURCES: readonly FeedSource[] = [
  { name: "first", mode: "live" },
  { name: "second", mode: "live" },
];
const STEP_MS = 6_000;
const ADDED: Instrument["addedBy"] = {
  source: "first",
  provenance: {
    ...{ category: "name", currencies: "name", digits: "source", pip: "default", hours: "default", name: "name" },
  },
};

/** A writer whose first source quotes every half minute and whose second quotes every six seconds. */
function startWriter() {
  let nowMs = Date.UTC(2026, 6, 15, 12);
  let steps = 0;
  const instrument = instrumentBySymbol.get(SYMBOL) as Instrument;
  const book = createBook({ sources: SOURCES, now: () => nowMs });
  const publisher = new Publisher({
    ...{ book, listSources: () => SOURCES, isInPast: false, instruments, marketNow: () => nowMs },
    ...{ saveHistory: async () => {}, lagMs: () => 0, everyMs: HOUR_MS, log: silentLog },
  });
  const step = () => {
    nowMs += STEP_MS;
    for (const [source, bid] of Object.entries(steps++ % 5 === 0 ? { first: 100, second: 90 } : { second: 90 })) {
      const quote: BookUpdate = { source, instrument, bid, ask: bid + 0.1, timeMs: nowMs };
      book.accept(quote);
      publisher.onQuote(quote);
    }
  };
  return { book, publisher, step, now: () => nowMs };
}

test("A reader serves the same source, price and state as its writer from each snapshot on.", async () => {
  const writer = startWriter();
  for (let count = 0; count < 200; count++) writer.step();
  let position: Changes = { type: "changes", epoch: "", at: 0, sentAtMs: 0, marketNowMs: 0, changes: [] };
  const send = (message: Snapshot | Changes) => {
    if (message.type === "snapshot") position = { ...position, ...message, type: "changes" };
    follower.onMessage(message, 0);
  };
  /** Sends the changes so far, then a snapshot, which a reader takes that needs one. */
  const publish = () => writer.publisher.add(send);
  const follower = new ChangeFollower({ monotonic: writer.now, requestSnapshot: () => void publish() });
  const config = loadConfig({ SPOTLINE_DATA_DIR: database.dataDir });
  const own = { config, log: silentLog } as unknown as Parameters<typeof joinWriter>[0];
  const reader = await joinWriter(own, { follower });
  try {
    for (const isLost of [false, true]) {
      if (isLost) {
        writer.publisher.remove(send);
        writer.step();
        // Its number is not the one that the reader expects.
        send({ type: "changes", epoch: "", at: 1, sentAtMs: 0, marketNowMs: writer.now(), changes: [] });
        await publish();
      }
      expect(follower.needsSnapshot).toBe(false);
      for (let count = 0; count < 20; count++) {
        expect(reader.book.sources(SYMBOL)).toEqual(writer.book.sources(SYMBOL));
        expect(reader.book.served(SYMBOL)).toEqual(writer.book.served(SYMBOL));
        writer.step();
        await publish();
      }
      expect(writer.book.served(SYMBOL)).toMatchObject({ source: "first", state: "live" });
    }
    // A snapshot's instruments replace those of the reader, and a later one comes before its first price.
    const added = { ...(instrumentBySymbol.get(SYMBOL) as Instrument), symbol: "PEPEUSD", addedBy: ADDED };
    const instrument = { ...added, symbol: "SHIBUSD" };
    send({ ...position, changes: [{ type: "instruments", put: [added, instrument], dropped: [] }] });
    send({
      ...position,
      at: position.at + 1,
      changes: [{ type: "quotes", quotes: [["first", "SHIBUSD", 1, 2, writer.now()]] }],
    });
    expect(reader.book.served("SHIBUSD")).toMatchObject({ bid: 1, ask: 2 });
    send({ ...position, at: position.at + 2, changes: [{ type: "instruments", put: [], dropped: ["PEPEUSD"] }] });
    expect(["PEPEUSD", "SHIBUSD"].map((symbol) => instrumentBySymbol.has(symbol))).toEqual([false, true]);
    dropInstruments(["SHIBUSD"]);
  } finally {
    writer.publisher.stop();
    await reader.origins.stop();
    reader.gaps.stop();
    await reader.database.close();
  }
});
