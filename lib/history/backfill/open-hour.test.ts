import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { encodeBook } from "@/lib/history/as-of/book-block";
import { toHourColumns } from "@/lib/history/backfill/fill-symbol";
import { fillOpenHour, listCauses, type OpenHourOptions, waitForClosed } from "@/lib/history/backfill/open-hour";
import type { ReadPast } from "@/lib/history/backfill/zones";
import { readOutages } from "@/lib/history/gaps/gap-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour } from "@/lib/history/journal";
import { Causes, findPart, readOrigins } from "@/lib/history/proof/hour-proofs";
import { verifyHistory } from "@/lib/history/proof/verify-history";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { addMissingHours } from "@/lib/history/ticks/tick-history";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** A Wednesday, an hour that is open. */
const HOUR_START = Date.UTC(2026, 10, 18, 12);
const HOUR = HOUR_START / HOUR_MS;
const SOURCE = "alpha-markets";
const [EURUSD, USDJPY] = ["EURUSD", "USDJPY"].map((symbol) => instrumentBySymbol.get(symbol)) as [
  Instrument,
  Instrument,
];
const feed = createSimulatedFeed({ seed: "test", hours: "always", instruments, now: () => HOUR_START });
/** The first start, a kill, and the next start: seconds of the hour. */
const [BEGUN, KILLED, STARTED] = [600, 1_200, 1_500];

describe("the past of an hour that is open", () => {
  let testDatabase: TestDatabase;
  const getPool = () => testDatabase.db.pool;
  const clock = { nowMs: HOUR_START + STARTED * SECOND_MS };
  const marketNow = () => clock.nowMs;
  let keeper: HistoryKeeper;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    await openJournalHour(getPool(), HOUR_START);
    keeper = new HistoryKeeper({ pool: getPool(), instruments, marketNow });
    const rows = Array.from({ length: 120 }, (_, at) => createRow(BEGUN + 5 * at));
    await journalRows(getPool(), rows);
    await keeper.restore();
    await logBook(BEGUN, KILLED);
  });
  afterAll(() => testDatabase.cleanup());

  /** The log of a server that recorded from and to these seconds of the hour. */
  async function logBook(from: number, to: number): Promise<void> {
    const [since, until] = [HOUR_START / SECOND_MS + from, HOUR_START / SECOND_MS + to];
    await getPool().query("INSERT INTO book_log VALUES ($1, $2, true, $3)", [since, until, encodeBook(since, [])]);
  }

  /** Fills as a server does that begins to record now. */
  async function fill(): Promise<void> {
    const startedAtMs = clock.nowMs;
    const endMs = Math.floor(startedAtMs / HOUR_MS) * HOUR_MS;
    const since = HOUR_START / SECOND_MS - 86_400;
    const outages = await readOutages(getPool(), since, Math.floor(startedAtMs / SECOND_MS));
    const append: OpenHourOptions["append"] = async (rows, cause) =>
      appendSeconds(getPool(), FIRST_FENCE, rows, await new Causes(getPool()).find(cause));
    for (const instrument of [EURUSD, USDJPY]) {
      const read: ReadPast = (fromMs, toMs, stepMs) => feed.history(instrument.symbol, SOURCE, fromMs, toMs, stepMs);
      for (const columns of toHourColumns(instrument, read(endMs, startedAtMs, SECOND_MS)))
        await fillOpenHour({ append, keeper, marketNow, outages, startedAtMs }, { columns, source: SOURCE });
      const client = await getPool().connect();
      await waitForClosed(client, instrument.symbol, endMs, performance.now() + 30_000);
      const hours = toHourColumns(instrument, read(endMs - HOUR_MS, endMs, SECOND_MS));
      await addMissingHours(client, hours, listCauses(outages, SOURCE));
      client.release();
    }
  }

  const readKinds = async (symbol: string, hour = HOUR) => {
    const find = await readOrigins(getPool(), [symbol], [hour]);
    return find(symbol, hour).map(({ second, cause }) => [second, cause.kind]);
  };

  test("Seconds of an outage are filled, those before the first start generated, and no recorded one is changed", async () => {
    await fill();
    const kinds = await readKinds("EURUSD");
    expect(kinds.map(([, kind]) => kind)).toEqual(["recorded", "filled"]);
    const filledFrom = Number(kinds[1]?.[0]);
    expect(filledFrom).toBeGreaterThanOrEqual(KILLED);
    expect(filledFrom).toBeLessThan(KILLED + 10);
    // Nothing was recorded of it, so all of it is from the past of the source.
    expect((await readKinds("USDJPY")).map(([, kind]) => kind)).toEqual(["generated", "filled"]);
    const parts = (await readOrigins(getPool(), ["EURUSD"], [HOUR]))("EURUSD", HOUR);
    expect(findPart(parts, KILLED + 30).cause).toEqual({
      ...{ kind: "filled", source: "alpha-markets" },
      ...{ from: "2026-11-18T12:20:00.000Z", to: "2026-11-18T12:25:00.000Z" },
    });
    const seconds = keeper.openHours.getHours("USDJPY")[0]?.updates ?? new Uint32Array();
    // While a server ran, a symbol without prices had none.
    expect(seconds.slice(BEGUN, KILLED).every((updates) => updates === 0)).toBe(true);
    expect(seconds.slice(KILLED, STARTED).some((updates) => updates > 0)).toBe(true);
    expect((await readKinds("EURUSD", HOUR - 1)).map(([, kind]) => kind)).toEqual(["generated"]);
  });

  test("Once the hour is closed, its proof says of each second what it came from", async () => {
    await journalRows(getPool(), [createRow(STARTED + 3)]);
    await logBook(STARTED, STARTED + 60);
    clock.nowMs = HOUR_START + HOUR_MS + 70_000;
    const open = await readKinds("EURUSD");
    expect(open.map(([, kind]) => kind)).toEqual(["recorded", "filled", "recorded"]);
    await keeper.close(HOUR_START, FIRST_FENCE);
    expect(await readKinds("EURUSD")).toEqual(open);
    const verdict = await verifyHistory({
      ...{ pool: getPool(), symbols: ["EURUSD"], fromMs: HOUR_START, toMs: HOUR_START + HOUR_MS },
      ...{ keptFromMs: 0, copies: [] },
    });
    expect(verdict.found).toBe(0);
    const counts = verdict.causes.map(({ cause: { kind }, hours }) => [kind, hours]);
    expect(counts).toEqual(expect.arrayContaining([["filled", 1]]));
  });

  test("An hour is not filled before the recorder has closed it", async () => {
    clock.nowMs = HOUR_START + 2 * HOUR_MS + 30 * SECOND_MS;
    const next = HOUR_START + HOUR_MS;
    for (const hourMs of [next, next + HOUR_MS]) await openJournalHour(getPool(), hourMs);
    await journalRows(getPool(), [createRow(3_700), createRow(3_800)]);
    await keeper.readJournal();
    const filling = fill();
    for (let waited = 0; waited < 20; waited++) {
      await pause();
      expect(
        (await getPool().query("SELECT FROM tick_hour WHERE symbol = 'EURUSD' AND hour = $1", [HOUR + 1])).rows,
      ).toEqual([]);
    }
    await keeper.close(next, FIRST_FENCE);
    await filling;
    const { rows } = await getPool().query<{ ticks: number }>(
      "SELECT ticks FROM tick_hour WHERE symbol = 'EURUSD' AND hour = $1",
      [HOUR + 1],
    );
    expect(rows).toEqual([{ ticks: 2 }]);
    expect(await readKinds("EURUSD", HOUR + 1)).toEqual([[0, "recorded"]]);
  });
});

function createRow(offset: number): SecondRow {
  const bid = 108_000 + (offset % 50);
  const prices = { bid, ask: bid + 9, open: bid, high: bid, low: bid };
  return { symbol: "EURUSD", digits: 5, second: HOUR_START / SECOND_MS + offset, ...prices, updates: 1 };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 250));
}
