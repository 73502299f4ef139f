import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { readReceivedTicks } from "@/lib/history/tapes/received-ticks";
import { TickList } from "@/lib/history/tapes/tape";
import { encodeNewTicks, encodeTape } from "@/lib/history/tapes/tape-block";
import { readKeptOfSymbols } from "@/lib/history/tapes/tape-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const database = await openTestDatabase();
afterAll(() => database.cleanup());

/** A Friday, at 20:00. */
const FRIDAY = Date.parse("2026-03-06T20:00:00Z");
const SUNDAY = FRIDAY + 50 * HOUR_MS;

/** Ticks of one source: the broker's time, the time of receipt, and the bid in points. */
type Row = readonly [timeMs: number, receivedMs: number, bid: number];

function toTicks(rows: readonly Row[]): TickList {
  const list = new TickList();
  for (const [timeMs, receivedMs, bid] of rows)
    list.add({ digits: 5, bid, ask: bid + 2, timeMs, receivedMs, isServed: true });
  return list;
}

describe("Ticks by their receipt", () => {
  beforeEach(() => database.db.pool.query("TRUNCATE tape_second, tape_hour, tape_run"));

  async function store(symbol: string, source: string, rows: readonly Row[], part = 0): Promise<void> {
    const hourMs = Math.floor((rows[0]?.[0] ?? 0) / HOUR_MS) * HOUR_MS;
    const block = encodeTape(hourMs, toTicks(rows).toTape());
    const row = [symbol, hourMs / HOUR_MS, source, part, rows.length, block];
    await database.db.pool.query("INSERT INTO tape_hour VALUES ($1, $2, $3, $4, $5, $6)", row);
  }

  async function read(fromMs: number, toMs: number, symbols = ["EURUSD", "XAUUSD"]): Promise<string[]> {
    const found = await readReceivedTicks((work) => work(database.db.pool), symbols, { fromMs, toMs });
    return found.map(({ symbol, source, tape }) => `${symbol} ${source} ${tape.bids.join(" ")}`);
  }

  const run = (sinceMs: number, untilMs: number, kept: readonly string[] = ["EURUSD"]) =>
    database.db.pool.query("INSERT INTO tape_run (since, until, kept) VALUES ($1, $2, $3)", [sinceMs, untilMs, kept]);

  test("have those that were received in the span, whatever hour their broker gave them.", async () => {
    await store("EURUSD", "beta", [[FRIDAY - 5, FRIDAY + 20, 1]]);
    await store("EURUSD", "beta", [
      [FRIDAY + 100, FRIDAY + 130, 2],
      [FRIDAY + HOUR_MS - 10, FRIDAY + HOUR_MS + 40, 3],
    ]);
    await store("EURUSD", "alpha", [[FRIDAY + HOUR_MS + 400, FRIDAY + HOUR_MS - 100, 4]]);
    await store("XAUUSD", "beta", [[FRIDAY + 7, FRIDAY + 8, 5]]);
    await store("USDJPY", "beta", [[FRIDAY + 7, FRIDAY + 8, 6]]);
    const [from, to] = [FRIDAY, FRIDAY + HOUR_MS];
    expect(await read(from, to)).toEqual(["EURUSD alpha 4", "EURUSD beta 1 2", "XAUUSD beta 5"]);
    expect(await read(from, to, ["XAUUSD", "EURUSD"])).toEqual(["XAUUSD beta 5", "EURUSD alpha 4", "EURUSD beta 1 2"]);
    expect(await read(from + 130, from + 131)).toEqual(["EURUSD beta 2"]);
    expect(await read(to, to + HOUR_MS)).toEqual(["EURUSD beta 3"]);
  });

  test("have those of a source that delivered some hours at once, days later.", async () => {
    await store("EURUSD", "beta", [[FRIDAY - 3 * HOUR_MS, FRIDAY - 3 * HOUR_MS, 1]]);
    await store("EURUSD", "beta", [
      [FRIDAY - 2 * HOUR_MS, FRIDAY - 2 * HOUR_MS, 2],
      [FRIDAY - 2 * HOUR_MS + 9, SUNDAY + 500, 3],
    ]);
    await store("EURUSD", "beta", [[FRIDAY - HOUR_MS, SUNDAY + 500, 4]]);
    await store("EURUSD", "beta", [[FRIDAY, SUNDAY + 501, 5]]);
    expect(await read(SUNDAY, SUNDAY + HOUR_MS)).toEqual(["EURUSD beta 3 4 5"]);
    expect(await read(FRIDAY - 3 * HOUR_MS, FRIDAY)).toEqual(["EURUSD beta 1 2"]);
  });

  test("are in the order of their receipt where a clock was set back, and those of parts and seconds are joined.", async () => {
    await store("EURUSD", "beta", [[FRIDAY + 10, FRIDAY + 900, 1]], 3);
    await store("EURUSD", "beta", [[FRIDAY + 20, FRIDAY + 300, 2]], 9);
    const ticks = toTicks([[FRIDAY + 30, FRIDAY + 950, 3]]);
    const group = { source: "beta", hourMs: FRIDAY, ticks };
    const block = encodeNewTicks(["EURUSD", "USDJPY"].map((symbol) => ({ ...group, symbol })));
    await database.db.pool.query("INSERT INTO tape_second (block) VALUES ($1)", [block]);
    await run(FRIDAY, FRIDAY + 2_000);
    expect(await read(FRIDAY, FRIDAY + 1_000)).toEqual(["EURUSD beta 2 1 3"]);
  });

  test("are known to be missing by symbol, with the nearest time in which there are some.", async () => {
    const [EURUSD, XAUUSD] = ["EURUSD", "XAUUSD"].map((name) => instrumentBySymbol.get(name) as Instrument) as [
      Instrument,
      Instrument,
    ];
    const find = (instruments: readonly Instrument[], fromMs: number, toMs: number) =>
      readKeptOfSymbols((work) => work(database.db.pool), instruments, { fromMs, toMs, nowMs: SUNDAY });
    expect(await find([EURUSD], FRIDAY, SUNDAY)).toMatchObject({ isAnyKept: false, nearest: null });
    await run(FRIDAY, FRIDAY + 100);
    await run(FRIDAY + 100, FRIDAY + 200, ["all"]);
    await run(FRIDAY + 900, FRIDAY + 999, ["forex"]);
    expect(await find([EURUSD, XAUUSD], FRIDAY + 50, FRIDAY + 300)).toEqual({
      notKept: [
        { fromMs: FRIDAY + 50, toMs: FRIDAY + 100, symbols: ["XAUUSD"] },
        { fromMs: FRIDAY + 200, toMs: FRIDAY + 300, symbols: ["EURUSD", "XAUUSD"] },
      ],
      isAnyKept: true,
      nearest: { fromMs: FRIDAY, toMs: FRIDAY + 200 },
    });
    expect(await find([EURUSD], FRIDAY + 300, FRIDAY + 400)).toMatchObject({
      isAnyKept: false,
      nearest: { fromMs: FRIDAY, toMs: FRIDAY + 200 },
    });
    expect(await find([EURUSD], FRIDAY + 700, Infinity)).toMatchObject({ isAnyKept: true });
    expect(await find([XAUUSD], FRIDAY + 700, FRIDAY + 710)).toMatchObject({ isAnyKept: false });
  });
});
