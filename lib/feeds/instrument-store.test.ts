import { afterAll, describe, expect, test, vi } from "vitest";
import { InstrumentStore, loadCatalog, storeInstruments } from "@/lib/feeds/instrument-store";
import { dropInstruments, instrumentBySymbol, listChangedInstruments, putInstruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const database = await openTestDatabase();
afterAll(() => database.cleanup());

describe("the instruments", () => {
  const forget = () => dropInstruments(listChangedInstruments().map(({ symbol }) => symbol));
  const open = () => new InstrumentStore({ database: database.db, log: silentLog, pollMs: 10 });

  test("are added by sources, followed, corrected and removed by an operator, and are there again later", async () => {
    const store = open();
    await store.start();
    try {
      await store.name("icm", [
        { spelling: "PEPEUSDm", digits: 10 },
        { spelling: "PEPEUSD", digits: 10, description: "Pepe" },
        { spelling: "EURUSDm", digits: 5 },
        { spelling: "OIL", digits: 3 },
      ]);
      // One instrument for both spellings; what the catalog has, or may mean, is left alone.
      expect(listChangedInstruments()).toMatchObject([{ symbol: "PEPEUSD", digits: 10, name: "Pepe" }]);
      const pepe = instrumentBySymbol.get("PEPEUSD");
      expect(pepe?.addedBy).toMatchObject({ source: "icm", provenance: { digits: "source", hours: "default" } });

      // The same source says more later; what another one says changes nothing.
      const { tradingHours: hours } = instrumentBySymbol.get("EURUSD") as Instrument;
      await store.name("other", [{ spelling: "PEPEUSD", tradingHours: hours }]);
      expect(pepe?.tradingHours).not.toEqual(hours);
      await store.name("icm", [{ spelling: "PEPEUSD", tradingHours: hours, digits: 4 }]);
      expect(pepe).toMatchObject({ tradingHours: hours, digits: 10, addedBy: { provenance: { hours: "source" } } });
      expect(instrumentBySymbol.get("PEPEUSD")).toBe(pepe);

      const corrected = { ...(instrumentBySymbol.get("EURUSD") as Instrument), digits: 6, addedBy: pepe?.addedBy };
      const rows = [{ symbol: "EURUSD", fields: corrected as Instrument, source: null }];
      await database.db.prisma.$transaction((transaction) => storeInstruments(transaction, rows, "replace"));
      await vi.waitFor(() => expect(instrumentBySymbol.get("EURUSD")?.digits).toBe(6));
      forget();
      expect(instrumentBySymbol.get("EURUSD")?.digits).toBe(5);
      await loadCatalog(database.db.pool);
      expect(listChangedInstruments().map(({ symbol }) => symbol)).toEqual(["EURUSD", "PEPEUSD"]);

      // No source adds again what an operator removed.
      const removed = { symbol: "PEPEUSD", fields: null, source: null };
      await database.db.prisma.$transaction((transaction) => storeInstruments(transaction, [removed], "replace"));
      await vi.waitFor(() => expect(instrumentBySymbol.has("PEPEUSD")).toBe(false));
      await store.name("icm", [{ spelling: "PEPEUSD", digits: 10 }]);
      expect(instrumentBySymbol.has("PEPEUSD")).toBe(false);
    } finally {
      store.stop();
      forget();
    }
  });

  test("are found under the notation of each source that names them", async () => {
    const store = open();
    await store.start();
    try {
      await store.name("icm", [{ spelling: "AEWA.UK", path: "Shares\\UK", quote: "GBP", digits: 2 }]);
      await store.name("ig", [
        { spelling: "AEWA.L", quote: "GBP", path: "Shares" },
        // In another currency it is another thing.
        { spelling: "AEWA.LSE", quote: "USD", path: "Shares" },
      ]);
      const symbols = ["AEWA.UK", "AEWA.L", "AEWA.LSE"].map((spelling) => catalogResolver.find(spelling)?.symbol);
      expect(symbols).toEqual(["AEWA.GB", "AEWA.GB", undefined]);
    } finally {
      store.stop();
      forget();
    }
  });

  test("are named once, also by two servers at the same time", async () => {
    const stores = [open(), open()];
    for (const store of stores) await store.start();
    try {
      await Promise.all(
        stores.map((store, at) => store.name(`broker-${at}`, [{ spelling: "SHIBUSD", digits: 8 + at }])),
      );
      const { rows } = await database.db.pool.query<{ fields: Instrument }>(
        "SELECT fields FROM instrument WHERE symbol = 'SHIBUSD'",
      );
      expect(rows).toHaveLength(1);
      expect(instrumentBySymbol.get("SHIBUSD")).toEqual(rows[0]?.fields);
    } finally {
      for (const store of stores) store.stop();
      forget();
    }
  });

  test("of a restored backup replace what is in memory", async () => {
    await database.db.pool.query("DELETE FROM instrument");
    putInstruments([{ ...(instrumentBySymbol.get("EURUSD") as Instrument), symbol: "LOST", addedBy: ADDED }]);
    await loadCatalog(database.db.pool);
    expect(instrumentBySymbol.has("LOST")).toBe(false);
  });
});

const ADDED: Instrument["addedBy"] = {
  source: "icm",
  provenance: {
    ...{ category: "name", currencies: "name", digits: "source", pip: "default", hours: "default", name: "name" },
  },
};
