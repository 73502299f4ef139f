import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { readJournal } from "@/lib/history/journal";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { acquireLease, requireLease } from "@/lib/history/recording/recorder-lease";
import { type Recording, startRecording } from "@/lib/history/recording/recording";
import { readHour } from "@/lib/history/ticks/tick-history";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const START_MS = Date.parse("2026-03-04T10:00:00Z");
const FLUSH_MS = 10;
/** Servers on a busy machine may take seconds to agree. */
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, 10_000);
const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

interface Server {
  readonly recording: Recording;
  readonly keeper: HistoryKeeper;
  /** Receives a price at this second of the hour. */
  quote(offset: number, bid: number): void;
  read(offset: number): SecondRow | undefined;
}

describe("two servers on one database", () => {
  let testDatabase: TestDatabase;
  let nowMs = START_MS;
  const running = new Set<Recording>();
  beforeEach(async () => {
    nowMs = START_MS;
    testDatabase = await openTestDatabase();
  });
  afterEach(async () => {
    for (const recording of running) await recording.stop();
    running.clear();
    const { rows } = await testDatabase.db.pool.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'tick\\_second\\_%'",
    );
    for (const { name } of rows) await testDatabase.db.pool.query(`DROP TABLE ${name}`);
    await testDatabase.cleanup();
  });

  async function start(): Promise<Server> {
    const { pool } = testDatabase.db;
    const marketNow = () => nowMs;
    const keeper = new HistoryKeeper({ pool, instruments, marketNow });
    const clocks = { marketNow, marketElapsed: marketNow };
    const parts = { pool, keeper, instruments, ...clocks, servedSource: () => "broker", log: silentLog };
    const recording = await startRecording({ ...parts, isExclusive: false, flushMs: FLUSH_MS });
    running.add(recording);
    return {
      recording,
      keeper,
      quote(offset, bid) {
        const timeMs = START_MS + offset * 1_000;
        const price = { bid, ask: bid + 0.0001, timeMs, receivedAtMs: timeMs };
        recording.onQuote({ source: "broker", instrument: EURUSD, ...price });
      },
      read: (offset) => keeper.openHours.readSecond("EURUSD", START_MS / 1000 + offset),
    };
  }

  async function expire(): Promise<void> {
    await testDatabase.db.pool.query("UPDATE recorder_lease SET renewed_at = '-infinity'");
  }

  /** The bids of the journal, by the second of the hour. */
  async function readBids(): Promise<Record<number, number>> {
    const rows = await readJournal(testDatabase.db.pool);
    return Object.fromEntries(rows.map(({ second, bid }) => [second - START_MS / 1000, bid]));
  }

  test("Only the first records, and the second returns the same seconds as the first", async () => {
    const [first, second] = [await start(), await start()];
    expect(first.recording.status().standbyFor).toBeNull();
    expect(second.recording.status().standbyFor).toContain(String(process.pid));
    first.quote(1, 1.1);
    second.quote(1, 1.5);
    second.quote(2, 1.6);
    nowMs += 5_000;
    await eventually(() => expect(second.read(1)).toMatchObject({ bid: 110_000, updates: 1 }));
    expect(second.read(2)).toBeUndefined();
    expect(await readBids()).toEqual({ 1: 110_000 });
    await eventually(() => expect(second.keeper.openHours.completeUntilMs).toBe(nowMs));
  });

  test("A closed hour holds every second that its recorder acknowledged, on both servers", async () => {
    const [first, second] = [await start(), await start()];
    for (let offset = 0; offset < 3_600; offset += 7) {
      first.quote(offset, 1.1 + offset / 1e5);
      if (offset > 1_800) second.quote(offset, 1.9);
    }
    nowMs = START_MS + 2 * HOUR_MS;
    const expected = Array.from({ length: 515 }, (_, at) => 110_000 + 7 * at);
    await eventually(async () => {
      const hour = await readHour(testDatabase.db.pool, "EURUSD", START_MS);
      expect(Array.from(hour?.bid ?? [])).toEqual(expected);
    });
    await eventually(() => expect(second.keeper.openHours.listStarts()).toEqual([]));
    for (const { keeper } of [first, second]) {
      const bars = await keeper.history.bars.readRange("EURUSD", "H1", { fromMs: START_MS, limit: 1 });
      expect(bars).toMatchObject([{ open: 1.1, close: 1.13598, volume: 515 }]);
    }
  });

  test("What a standby reads again is passed on once, and so is what a heal or a takeover reads", async () => {
    const [first, second] = [await start(), await start()];
    let passed = 0;
    second.keeper.follow({ onRecorded: (rows) => void (passed += rows.length), onClosed() {}, onRewritten() {} });
    for (const offset of [1, 2, 3]) first.quote(offset, 1.1);
    nowMs += 5_000;
    await eventually(() => expect(passed).toBe(3));
    await second.keeper.readRecentRows(START_MS / 1000);
    await second.keeper.restore();
    await expire();
    await second.recording.whileRecording.begun;
    expect(passed).toBe(3);
    second.quote(6, 1.2);
    nowMs += 5_000;
    await eventually(() => expect(passed).toBe(4));
  });

  test("Neither server serves what a clock that was ahead has dated, once it is back", async () => {
    const [first, second] = [await start(), await start()];
    const both = [first, second];
    for (const { quote } of both) quote(1, 1.1);
    nowMs += HOUR_MS;
    for (const { quote } of both) quote(3_600, 1.5);
    nowMs += 5_000;
    const listStarts = () => both.map(({ keeper }) => keeper.openHours.listStarts());
    await eventually(() => expect(listStarts()).toEqual(Array(2).fill([START_MS, START_MS + HOUR_MS])));
    nowMs = START_MS + 10_000;
    for (const { quote } of both) quote(8, 1.2);
    await eventually(() => {
      for (const { keeper } of both) {
        expect(keeper.openHours.newestMs).toBeLessThan(START_MS + MINUTE_MS);
        expect(keeper.openHours.readSecond("EURUSD", START_MS / 1000 + 8)).toMatchObject({ bid: 120_000 });
      }
    });
    expect(listStarts()).toEqual([[START_MS], [START_MS]]);
    expect(await readBids()).toEqual({ 1: 110_000, 8: 120_000 });
  });

  test("Only the recorder saves the spreads of its sources", async () => {
    const [first, second] = [await start(), await start()];
    const saves = [first, second].map(({ keeper }) => vi.spyOn(keeper, "save"));
    for (const { recording } of [second, first]) await recording.save();
    await second.recording.stop();
    expect(saves.map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  test("A standby takes over when the recorder stops, with the prices that came in between", async () => {
    const [first, second] = [await start(), await start()];
    first.quote(1, 1.1);
    second.quote(1, 1.5);
    nowMs = START_MS + 2_000;
    await first.recording.stop();
    second.quote(3, 1.3);
    nowMs += 3_000;
    await second.recording.whileRecording.begun;
    await eventually(async () => expect(await readBids()).toEqual({ 1: 110_000, 3: 130_000 }));
    expect(second.recording.status()).toMatchObject({ standbyFor: null, recorded: 1 });
  });

  test("A recorder that was paused until another took over writes nothing more, and becomes the standby", async () => {
    const [first, second] = [await start(), await start()];
    const fence = await readFence(testDatabase.db.pool);
    const atWork = new Set<string>();
    for (const [name, { recording }] of Object.entries({ first, second })) {
      await recording.whileRecording.run(() => {
        atWork.add(name);
        return { stop: () => void atWork.delete(name) };
      });
    }
    expect([...atWork]).toEqual(["first"]);
    await expire();
    await second.recording.whileRecording.begun;
    first.quote(1, 1.9);
    second.quote(2, 1.2);
    nowMs += 5_000;
    await eventually(() => expect(first.recording.status().standbyFor).not.toBeNull());
    await eventually(() => expect([...atWork]).toEqual(["second"]));
    await eventually(() => expect(first.read(2)).toMatchObject({ bid: 120_000 }));
    expect(await readBids()).toEqual({ 2: 120_000 });
    await expect(first.keeper.close(START_MS, fence)).rejects.toThrow("Another server records on this database");
    expect(await readBids()).toEqual({ 2: 120_000 });
  });

  test("A standby fills its place after a recorder that ended without a word, but not before its lease expired", async () => {
    const { pool } = testDatabase.db;
    await acquireLease(pool, "a dead server", false);
    const server = await start();
    expect(server.recording.status().standbyFor).toBe("a dead server");
    await expire();
    await server.recording.whileRecording.begun;
    expect(server.recording.status().standbyFor).toBeNull();
  });
});

describe("the lease on PostgreSQL", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
  });
  afterAll(() => testDatabase.cleanup());

  test("A takeover waits for the transaction of a write that has begun", async () => {
    const { pool } = testDatabase.db;
    const fence = (await acquireLease(pool, "first", true)) as number;
    const client = await pool.connect();
    await client.query("BEGIN");
    await requireLease(client, fence);
    let isTaken = false;
    const taking = acquireLease(pool, "second", true).then((taken) => {
      isTaken = true;
      return taken;
    });
    await client.query("SELECT pg_sleep(0.1)");
    expect(isTaken).toBe(false);
    await client.query("COMMIT");
    expect(await taking).toBe(fence + 1);
    await client.query("BEGIN");
    await expect(requireLease(client, fence)).rejects.toThrow("Another server records on this database");
    await client.query("ROLLBACK");
    client.release();
  });
});
