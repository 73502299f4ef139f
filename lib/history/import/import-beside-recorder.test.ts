import { afterAll, describe, expect, test } from "vitest";
import { readBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { clearImports, formatTicks, importText, readTables, type Tick } from "@/lib/history/import/import.fixture";
import { removeImports } from "@/lib/history/import/imported-hours";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { acquireLease, releaseLease } from "@/lib/history/recording/recorder-lease";
import { readHour } from "@/lib/history/ticks/tick-history";
import { instruments } from "@/lib/market/catalog";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const START = Date.UTC(2024, 4, 14, 6);

describe("importing beside the recorder", () => {
  const getPool = () => testDatabase.db.pool;
  const readMinutes = async () =>
    (await readBars(getPool(), { symbols: ["EURUSD"], timeframe: "M1", limit: 1e6, pick: "first" })).get("EURUSD") ??
    [];
  const clear = () => clearImports(getPool());

  let keeper: HistoryKeeper;
  const row = (second: number, bid: number): SecondRow => {
    const prices = { bid, ask: bid + 9, open: bid - 2, high: bid + 4, low: bid - 4 };
    return { symbol: "EURUSD", digits: 5, second: START / 1000 + second, ...prices, updates: 3 };
  };
  const record = async (rows: readonly SecondRow[], importPriority: readonly string[] = []) => {
    const marketNow = () => START + HOUR_MS;
    keeper = new HistoryKeeper({ pool: getPool(), instruments, importPriority, marketNow });
    await journalRows(getPool(), rows);
    keeper.onRecorded(rows, START + HOUR_MS);
  };
  const ticks: Tick[] = [0, 10, 70, 130].map((second) => [START + second * 1000, 108_100 + second, 108_110 + second]);

  test("an open hour is left to it, and imported once it is closed", async () => {
    await clear();
    await record([row(65, 107_000), row(70, 107_001)]);
    const left = await importText(getPool(), "eurusd.csv", formatTicks(ticks));
    expect(left.report).toMatchObject({ accepted: 0, added: 0, refused: { open_hour: { count: 4 } } });
    expect(await readMinutes()).toEqual([]);
    await keeper.close(START, FIRST_FENCE);
    const { report, isKnown } = await importText(getPool(), "eurusd.csv", formatTicks(ticks));
    expect([isKnown, report.added]).toEqual([false, 4]);
  });

  test("recorded minutes stay, imported ones are added", async () => {
    expect(await readMinutes()).toEqual([
      { timeMs: START, digits: 5, open: 108_100, high: 108_110, low: 108_100, close: 108_110, volume: 2 },
      { timeMs: START + MINUTE_MS, digits: 5, open: 106_998, high: 107_005, low: 106_996, close: 107_001, volume: 6 },
      {
        timeMs: START + 2 * MINUTE_MS,
        digits: 5,
        open: 108_230,
        high: 108_230,
        low: 108_230,
        close: 108_230,
        volume: 1,
      },
    ]);
    const hour = await readHour(getPool(), "EURUSD", START);
    expect([...(hour?.seconds ?? [])]).toEqual([0, 10, 65, 70, 130]);
  });

  test("an hour that is recorded after its import is joined with it in the same way", async () => {
    const before = (await readTables(getPool())).slice(1, 4);
    await clear();
    await importText(getPool(), "eurusd.csv", formatTicks(ticks));
    await record([row(65, 107_000), row(70, 107_001)]);
    await keeper.close(START, FIRST_FENCE);
    expect((await readTables(getPool())).slice(1, 4)).toEqual(before);
    await removeImports(getPool(), { symbol: "EURUSD", source: "csv", priority: [], spreadsFromMs: 0 });
    expect((await readMinutes()).map(({ open }) => open)).toEqual([106_998]);
  });

  test("imported sources keep their order when an hour with them is recorded", async () => {
    await clear();
    for (const [source, bid] of Object.entries({ alpha: 108_000, beta: 109_000 })) {
      await importText(getPool(), "eurusd.csv", formatTicks([[START, bid, bid + 5]]), { source });
    }
    await record([row(65, 107_000)], ["beta"]);
    await keeper.close(START, FIRST_FENCE);
    expect((await readMinutes()).map(({ open }) => open)).toEqual([109_000, 106_998]);
  });

  test.each([
    ["ticks", formatTicks([-1, 0, 1].map((hours) => [START + hours * HOUR_MS, 108_000, 108_005]))],
    [
      "bars",
      [
        "time,open,high,low,close,volume",
        ...[-1, 0, 1].map((hours) => `${START + hours * HOUR_MS},1.1,1.101,1.099,1.1,5`),
      ].join("\n"),
    ],
  ])("no hour of %s that a running recorder has not passed by its market clock is imported", async (_, text) => {
    await clear();
    await getPool().query("DROP TABLE IF EXISTS tick_second_" + START / 1000);
    const clockMs = START + 40 * MINUTE_MS;
    const fence = (await acquireLease(getPool(), "a replay at its own time", true, clockMs)) as number;
    const refused = await importText(getPool(), "eurusd.csv", text);
    expect(refused.report).toMatchObject({ accepted: 1, added: 1, refused: { open_hour: { count: 2 } } });
    const { rows } = await getPool().query(
      "SELECT DISTINCT time / 3600 * 3600000::float8 AS hour FROM bar WHERE timeframe = 60",
    );
    expect(rows).toEqual([{ hour: START - HOUR_MS }]);
    await releaseLease(getPool(), fence, { completeUntilMs: clockMs, revision: 1 });
    const { report } = await importText(getPool(), "eurusd.csv", text);
    expect(report).toMatchObject({ accepted: 3, added: 2, refused: {} });
  });
});
