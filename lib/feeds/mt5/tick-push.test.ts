import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decodePush, tickPush, toSymbolFacts } from "@/lib/feeds/mt5/tick-push";
import { describeNewInstrument } from "@/lib/market/new-instrument";
import { formatTradingHours } from "@/lib/market/trading-hours";
import { HOUR_MS } from "@/lib/time/units";

const batch = { boot_id: "a1", seq: 1, sent_gmt: 1_700_000_000, ticks: [] as unknown[] };

test("Numbers may be text, seconds become milliseconds, and a price that is no number is left to the intake.", () => {
  const ticks = [
    { s: "EURUSDm", b: "1.08521", a: 1.08523, t: "1700010800123" },
    { s: "XAUUSD-", b: "", a: "none", t: 1_700_010_800_124 },
  ];
  const push = tickPush.parse({ ...batch, ticks });
  expect(push.sent_gmt).toBe(1_700_000_000_000);
  expect(push.ticks).toEqual([
    { s: "EURUSDm", b: 1.08521, a: 1.08523, t: 1_700_010_800_123 },
    { s: "XAUUSD-", b: NaN, a: NaN, t: 1_700_010_800_124 },
  ]);
});

test.each([
  ["no run", { ...batch, boot_id: "" }],
  ["a sequence of zero", { ...batch, seq: 0 }],
  ["a sequence beyond whole numbers", { ...batch, seq: 2 ** 60 }],
  ["no time", { ...batch, sent_gmt: "soon" }],
  ["too many ticks", { ...batch, ticks: Array(5_001).fill({ s: "EURUSD", b: 1, a: 1, t: 1 }) }],
  ["a symbol without a name", { ...batch, ticks: [{ s: "", b: 1, a: 1, t: 1 }] }],
])("A batch with %s is refused.", (_, body) => expect(tickPush.safeParse(body).success).toBe(false));

test("A name in the code page of Windows is read, and so is one in UTF-8.", () => {
  expect(decodePush(Buffer.from([0x47, 0x42, 0x50, 0x2e, 0xa3]))).toBe("GBP.£");
  expect(decodePush(Buffer.from("GBP.£"))).toBe("GBP.£");
  expect(decodePush(Buffer.from("{}\0"))).toBe("{}");
});

describe("what a terminal says of a symbol", () => {
  const SUMMER = Date.UTC(2026, 6, 1);
  const week = (workday: string, friday = workday) => ["", workday, workday, workday, workday, friday, ""];
  const coffee = {
    ...{ s: "Coffee.r", digits: 2, point: "0.0100000000", description: "Coffee C", path: "CFDs\\Softs\\Coffee.r" },
    ...{ currency_base: "USD", currency_profit: "USD", currency_margin: "USD" },
    ...{ trade_calc_mode: "SYMBOL_CALC_MODE_CFD", trade_contract_size: "1000.00" },
    ...{ volume_min: "0.10", volume_max: "50.00", volume_step: "0.10", swap_long: "-1.25", swap_short: "0.5" },
    sessions: week("11:15-20:30"),
  };
  const read = (symbol: object) => tickPush.parse({ ...batch, symbols: [symbol] }).symbols?.[0] ?? { s: "" };
  const hours = (sessions: unknown, offsetHours: number | null = 3, atMs = SUMMER) => {
    const offsetMs = offsetHours === null ? null : offsetHours * HOUR_MS;
    const { tradingHours } = toSymbolFacts(read({ ...coffee, sessions }), offsetMs, atMs);
    return tradingHours && formatTradingHours(tradingHours);
  };

  test("is enough for an instrument that the catalog lacks", () => {
    const facts = toSymbolFacts(read(coffee), 3 * HOUR_MS, SUMMER);
    expect(describeNewInstrument(facts)?.instrument).toMatchObject({
      ...{ symbol: "COFFEE", name: "Coffee C", category: "commodities", base: null, quote: "USD", digits: 2 },
      ...{ contractSize: 1_000, minVolume: 0.1, maxVolume: 50, volumeStep: 0.1, swapLong: -1.25, swapShort: 0.5 },
    });
    expect(hours(coffee.sessions)).toMatchObject({ monday: "04:15-13:30 America/New_York", saturday: "closed" });
  });

  test("may be wrong in any part without a batch that is refused", () => {
    const wrong = Object.fromEntries(Object.keys(coffee).map((name) => [name, name === "s" ? "X1" : { a: [null] }]));
    const nonsense = { ...wrong, digits: "none", point: "", sessions: ["00:00-24:00"] };
    expect(toSymbolFacts(read(wrong), 0, SUMMER)).toEqual({ spelling: "X1" });
    expect(toSymbolFacts(read(nonsense), 0, SUMMER)).toEqual({ spelling: "X1" });
    expect(toSymbolFacts(read({ s: "EURUSD", digits: 5, point: "0.00001" }), null, SUMMER)).toEqual({
      ...{ spelling: "EURUSD", digits: 5 },
    });
    expect(read({ ...coffee, description: "x".repeat(900) }).description).toHaveLength(200);
  });

  test.each([
    ["SYMBOL_CALC_MODE_EXCH_STOCKS", "stock"],
    ["SYMBOL_CALC_MODE_EXCH_BONDS_MOEX", "bond"],
    ["SYMBOL_CALC_MODE_EXCH_FUTURES_FORTS", "future"],
    ["SYMBOL_CALC_MODE_FOREX", undefined],
    ["SYMBOL_CALC_MODE_CFDINDEX", undefined],
  ])("%s means the kind %s", (trade_calc_mode, kind) => {
    expect(toSymbolFacts(read({ s: "A", trade_calc_mode }), null, SUMMER).kind).toBe(kind);
  });

  test("Sessions of a server seven hours ahead of New York are in New York's time, over midnights", () => {
    expect(hours(week("00:00-24:00"))).toMatchObject({
      sunday: "17:00-24:00 America/New_York",
      monday: "00:00-24:00 America/New_York",
      friday: "00:00-17:00 America/New_York",
      saturday: "closed",
    });
    expect(hours(week("01:05-12:00,13:00-23:55"))).toMatchObject({
      sunday: "18:05-24:00 America/New_York",
      monday: "00:00-05:00, 06:00-16:55, 18:05-24:00 America/New_York",
    });
    const always = Array(7).fill("00:00-00:00");
    expect(new Set(Object.values(hours(always) ?? {}))).toEqual(new Set(["00:00-24:00 America/New_York"]));
    expect(hours(week("00:00-24:00"), 2, Date.UTC(2026, 0, 5))?.friday).toBe("00:00-17:00 America/New_York");
  });

  test("Sessions are left out where the server's clock is another or unknown, or a session is wrong", () => {
    expect(hours(coffee.sessions, 2)).toBeUndefined();
    expect(hours(coffee.sessions, 0)).toBeUndefined();
    expect(hours(coffee.sessions, null)).toBeUndefined();
    for (const wrong of ["24:30-25:00", "12:00-11:00", "9:00-10:00", "09:00", "00:00-24:30"]) {
      expect(hours(week(wrong))).toBeUndefined();
    }
    expect(hours(week(""))).toBeUndefined();
  });

  test("is sent by the program under the names that are read", () => {
    const program = readFileSync("connectors/mt5/Spotline.mq5", "utf8");
    const [, body = ""] = /string DescribeSymbol[^{]*\{([^]*?)\n {2}\}/.exec(program) ?? [];
    const sent = [...body.matchAll(/(?:\\"|Property\(")(\w+)(?:\\":|",)/g)].map(([, name]) => name);
    expect(sent.toSorted()).toEqual(Object.keys(coffee).toSorted());
  });
});
