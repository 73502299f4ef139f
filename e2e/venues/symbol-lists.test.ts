import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import type { SymbolChoice } from "@/lib/feeds/feed-kind";
import { InstrumentStore } from "@/lib/feeds/instrument-store";
import type { Quote } from "@/lib/feeds/intake";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { dropInstruments, listChangedInstruments } from "@/lib/market/catalog";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { openPrices } from "@/lib/runtime/prices";

/** What venues say of their symbols, from their messages to the catalog in the database and back to their quotes. */

const PATIENCE = { timeout: 20_000, interval: 5 };

let database: TestDatabase;
beforeAll(async () => void (database = await openTestDatabase()));
beforeEach(() => () => dropInstruments(listChangedInstruments().map(({ symbol }) => symbol)));
afterAll(() => database.cleanup());

interface Options {
  readonly symbols: SymbolChoice;
  /** How often the catalog cannot be changed at first. */
  readonly failures?: number;
  readonly autoAdd?: boolean;
}

async function play(kind: string, { symbols, failures = 0, autoAdd }: Options) {
  const venue = await open({ scenario: readVenueFile(kind), name: "more than the catalog" });
  await database.db.pool.query("DELETE FROM instrument");
  const store = new InstrumentStore({ database: database.db, log: silentLog, pollMs: 10 });
  await store.start();
  let left = failures;
  const name: InstrumentStore["name"] = async (...said) => {
    if (left-- > 0) throw new Error("the database is away");
    await store.name(...said);
  };
  const errors: string[] = [];
  const log = Object.assign(Object.create(silentLog) as typeof silentLog, {
    error: (_: object, text: string) => void errors.push(text),
  });
  const shared = {
    priority: 0,
    aliases: {},
    hours: null,
    expectedRate: null,
    ...(autoAdd === undefined ? {} : { autoAdd }),
  };
  const feed = { name: "venue", kind, ...shared, symbols, settings: { url: venue.url }, secrets: {} };
  const prices = openPrices({
    settings: { feeds: [feed], sourcePriority: [], file: null },
    ...{ log, recorder: null, storedUntilMs: null, inlets: new Inlets(), dataDir: "/nowhere", instruments: { name } },
    summariseGaps: () => ({ count: 0, latest: [] }),
    ...{ system: Date.now, monotonic: () => performance.now() },
  });
  const quotes: Quote[] = [];
  prices.onQuote((quote) => void quotes.push(quote));
  onTestFinished(async () => {
    await prices.stop();
    store.stop();
  });
  await prices.start(async () => {});
  await venue.finished();
  return { venue, quotes, errors };
}

test.each([
  ["kraken", ["BTC/USD", "PEPE/USD"], { symbol: "PEPEUSD", digits: 9, minVolume: 350_000, volumeStep: 0.00001 }],
  ["kraken", "all", { symbol: "PEPEUSD", digits: 9 }],
  ["coinbase", ["PEPE-USD"], { symbol: "PEPEUSD", digits: 8, minVolume: 1, category: "crypto" }],
  ["deriv", "all", { symbol: "R_100", digits: 2, name: "Volatility 100 Index", category: "indices" }],
] as const)("%s says what %j are before it sends their prices", async (kind, symbols, expected) => {
  // The first attempt fails where the venue's scenario has a second connection.
  const { venue, quotes, errors } = await play(kind, { symbols, failures: kind === "kraken" ? 1 : 0 });
  await vi.waitFor(
    () => expect(quotes.map(({ instrument }) => instrument.symbol)).toContain(expected.symbol),
    PATIENCE,
  );
  const { instrument } = quotes.find((quote) => quote.instrument.symbol === expected.symbol) as Quote;
  expect(instrument).toMatchObject(expected);
  expect(instrument.addedBy).toMatchObject({ source: "venue", provenance: { digits: "source" } });
  expect(errors).toEqual(kind === "kraken" ? ["symbols of a source cannot be added to the catalog"] : []);
  await venue.close();
  expect(venue.violations).toEqual([]);
});

test("Nothing is added for a source that may add nothing, and its known symbols are quoted", async () => {
  const { quotes } = await play("deriv", { symbols: "all", autoAdd: false });
  await vi.waitFor(() => expect(quotes.map(({ instrument }) => instrument.symbol)).toEqual(["EURUSD"]), PATIENCE);
  expect(listChangedInstruments()).toEqual([]);
});
