import { afterAll, describe, expect, test } from "vitest";
import { PriceDigits, storeDigits } from "@/lib/history/price-digits";
import { dropInstruments, instrumentBySymbol, putInstruments, raiseDigits } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

describe("the finest digits", () => {
  // Digits of a process never fall, so each test has a symbol of its own.
  const add = (name: string) => {
    const symbol = `${name}DIGITS`;
    putInstruments([{ ...EURUSD, symbol, aliases: [] }]);
    return symbol;
  };
  const readDigits = (symbol: string) => instrumentBySymbol.get(symbol)?.digits;
  const open = () => new PriceDigits({ pool: testDatabase.db.pool, log: silentLog });

  test("are stored when a price raises them, and never lowered", async () => {
    const symbol = add("RAISED");
    raiseDigits(symbol, 8);
    await open().follow();
    await storeDigits(testDatabase.db.pool, [[symbol, 6]]);
    const { rows } = await testDatabase.db.pool.query("SELECT digits FROM price_digits WHERE symbol = $1", [symbol]);
    expect(rows).toEqual([{ digits: 8 }]);
    dropInstruments([symbol]);
  });

  test("reach a process that did not see the price, also for an instrument that is added later", async () => {
    const [known, later] = [add("KNOWN"), "LATERDIGITS"];
    await storeDigits(testDatabase.db.pool, [
      [known, 7],
      [later, 9],
    ]);
    await open().follow();
    expect(readDigits(known)).toBe(7);
    putInstruments([{ ...EURUSD, symbol: later, aliases: [] }]);
    expect(readDigits(later)).toBe(9);
    putInstruments([{ ...EURUSD, symbol: later, aliases: [], digits: 3 }]);
    expect(readDigits(later)).toBe(9);
    dropInstruments([known, later]);
  });
});
