import { afterAll, expect, test } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createInstrumentControl } from "@/lib/access/instrument-control";
import { PriceDigits, storeDigits } from "@/lib/history/price-digits";
import { dropInstruments, instrumentBySymbol, listChangedInstruments, raiseDigits } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const database = await openTestDatabase();
afterAll(async () => {
  dropInstruments(listChangedInstruments().map(({ symbol }) => symbol));
  await database.cleanup();
});

test("An operator adds, corrects and removes instruments, and each change is audited.", async () => {
  const control = createInstrumentControl(database.db, { now: Date.now });
  const fields = { category: "indices", quote: "EUR", digits: 1, hours: "GER40", aliases: ["My Basket"] } as const;
  await control.add([{ symbol: "BASKET1", fields: { ...fields, aliases: [...fields.aliases] } }], OPERATOR_CLI);
  expect(catalogResolver.find("my basket")).toMatchObject({
    ...{ symbol: "BASKET1", category: "indices", quote: "EUR", digits: 1, pipSize: 1 },
    tradingHours: instrumentBySymbol.get("GER40")?.tradingHours,
    addedBy: { source: null, provenance: { category: "operator", hours: "operator", pip: "default" } },
  });

  // A spelling that names an instrument can become one of its own.
  expect(catalogResolver.find("EURUSDm")?.symbol).toBe("EURUSD");
  await control.add([{ symbol: "EURUSDM", fields: {} }], OPERATOR_CLI);
  expect(catalogResolver.find("EURUSDm")).toMatchObject({ symbol: "EURUSDM", base: "EUR", quote: "USD", digits: 5 });

  // What the page of feeds does: all spellings that name nothing, or one that names something else.
  const made = async (...spellings: string[]) =>
    (await control.addSpellings(spellings, OPERATOR_CLI)).map(({ symbol }) => symbol);
  expect(await made("XAUUSD.pro+")).toEqual(["XAUUSD.PRO"]);
  await expect(made("...")).rejects.toThrow("No symbol can be made of it");
  expect(await made("PEPEUSDm", "SHIBUSD", "OIL", "GBPUSDm")).toEqual(["PEPEUSD", "SHIBUSD"]);
  expect(catalogResolver.find("XAUUSD.pro+")?.symbol).toBe("XAUUSD.PRO");
  await control.set("eur/usd", { name: "The euro", digits: 6 }, OPERATOR_CLI);
  expect(instrumentBySymbol.get("EURUSD")).toMatchObject({ name: "The euro", digits: 6, pipSize: 0.0001 });
  expect(await control.remove("EURUSD", OPERATOR_CLI)).toBe("EURUSD");
  expect(instrumentBySymbol.get("EURUSD")).toMatchObject({ name: "Euro vs US Dollar", digits: 5 });
  await control.add([{ symbol: "EURO-OLD", fields: { aliases: ["old euro"] } }], OPERATOR_CLI);
  expect((await control.merge("EURO-OLD", "EURUSD", OPERATOR_CLI)).symbol).toBe("EURUSD");
  expect(["EURO-OLD", "old euro"].map((name) => catalogResolver.find(name)?.symbol)).toEqual(["EURUSD", "EURUSD"]);
  await expect(control.merge("GBPUSD", "EURUSD", OPERATOR_CLI)).rejects.toThrow("GBPUSD is built in");
  await expect(control.merge("eurusd", "EURUSD", OPERATOR_CLI)).rejects.toThrow("Both names are those of EURUSD");
  await control.remove("BASKET1", OPERATOR_CLI);
  expect(instrumentBySymbol.has("BASKET1")).toBe(false);

  const events = await createAuditLog(database.db).list({ limit: 20 });
  expect(events.map(({ event, before, after }) => [event, before?.["symbol"], after?.["symbol"]])).toEqual([
    ["instrument.remove", "BASKET1", undefined],
    ["instrument.merge", "EURUSD", "EURUSD"],
    ["instrument.merge", "EURO-OLD", undefined],
    ["instrument.add", undefined, "EURO-OLD"],
    ["instrument.remove", "EURUSD", undefined],
    ["instrument.set", "EURUSD", "EURUSD"],
    ["instrument.add", undefined, "SHIBUSD"],
    ["instrument.add", undefined, "PEPEUSD"],
    ["instrument.add", undefined, "XAUUSD.PRO"],
    ["instrument.add", undefined, "EURUSDM"],
    ["instrument.add", undefined, "BASKET1"],
  ]);
});

test("What is put again as it is changes nothing.", async () => {
  const control = createInstrumentControl(database.db, { now: Date.now });
  const wanted = [{ symbol: "AGAIN1", fields: { digits: 3, hours: "always", aliases: ["again"] } }];
  const put = async () => {
    await control.put(wanted, OPERATOR_CLI);
    return (await createAuditLog(database.db).list({ limit: 100 })).length;
  };
  expect(await put()).toBe(await put());
});

test("What is put again keeps the digits that a source has raised meanwhile.", async () => {
  const control = createInstrumentControl(database.db, { now: Date.now });
  const put = (digits: number, name: string) =>
    control.put([{ symbol: "RAISED1", fields: { digits, name } }], OPERATOR_CLI);
  const count = async () => (await createAuditLog(database.db).list({ limit: 100 })).length;
  await put(2, "One");
  raiseDigits("RAISED1", 4);
  const before = await count();
  await put(2, "One");
  expect([await count(), instrumentBySymbol.get("RAISED1")?.digits]).toEqual([before, 4]);
  await put(2, "Other");
  expect(instrumentBySymbol.get("RAISED1")).toMatchObject({ digits: 4, name: "Other" });
  await put(5, "Other");
  expect(instrumentBySymbol.get("RAISED1")?.digits).toBe(5);
  // What prices have raised is taken back, here and in the database, so that no process raises it again.
  await storeDigits(database.db.pool, [["RAISED1", 9]]);
  raiseDigits("RAISED1", 9);
  expect((await control.set("RAISED1", { digits: 3 }, OPERATOR_CLI)).digits).toBe(3);
  await new PriceDigits({ pool: database.db.pool, log: silentLog }).follow();
  expect(instrumentBySymbol.get("RAISED1")?.digits).toBe(3);
});

test("Thousands are put at once, as one event.", async () => {
  const control = createInstrumentControl(database.db, { now: Date.now });
  const wanted = Array.from({ length: 4_000 }, (_, at) => ({ symbol: `MANY${at}`, fields: { digits: 2 } }));
  await control.put(wanted, OPERATOR_CLI);
  expect(instrumentBySymbol.get("MANY3999")?.digits).toBe(2);
  const [event] = await createAuditLog(database.db).list({ limit: 1 });
  expect(event).toMatchObject({ event: "instrument.set", after: { count: 4_000 } });
  dropInstruments(wanted.map(({ symbol }) => symbol));
});

test("What cannot be is refused with the reason, and nothing is stored.", async () => {
  const control = createInstrumentControl(database.db, { now: Date.now });
  const add = (symbol: string, fields = {}) => control.add([{ symbol, fields }], OPERATOR_CLI);
  const before = listChangedInstruments().length;
  await expect(add("EURUSD")).rejects.toThrow("EURUSD is in the catalog already; use set to correct it.");
  for (const symbol of ["", "eurusd", "A B", "X".repeat(33), "Ä", "../X"]) {
    await expect(add(symbol)).rejects.toThrow("is no symbol");
  }
  await expect(add("NEWONE", { aliases: ["Gold"] })).rejects.toThrow("The alias Gold names XAUUSD.");
  await expect(add("NEWONE", { aliases: ["OIL"] })).rejects.toThrow(/^The alias OIL names \w+ and \w+/);
  await expect(add("NEWONE", { digits: 2, pipSize: 0.001 })).rejects.toThrow("cannot be finer than its 2 digits");
  await expect(add("NEWONE", { minVolume: 5, maxVolume: 1 })).rejects.toThrow("least volume");
  await expect(add("NEWONE", { hours: "NOSUCHTHING" })).rejects.toThrow("no symbol of the catalog");
  await expect(control.set("EURUSD", { digits: 4 }, OPERATOR_CLI)).rejects.toThrow("it cannot have fewer");
  await expect(control.set("EURUSDD", {}, OPERATOR_CLI)).rejects.toThrow("Near it: EURUSD");
  await expect(control.remove("GBPUSD", OPERATOR_CLI)).rejects.toThrow("built in and was not changed");
  const twice = [
    { symbol: "NEWONE", fields: {} },
    { symbol: "NEWONE", fields: {} },
  ];
  await expect(control.put(twice, OPERATOR_CLI)).rejects.toThrow("named twice");
  expect(listChangedInstruments()).toHaveLength(before);
});
