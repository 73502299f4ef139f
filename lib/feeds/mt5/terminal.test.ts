import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { deleteOldBatches, readBatches } from "@/lib/feeds/mt5/batch-store";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { BootIdTaken, OtherServerRecords, Terminal } from "@/lib/feeds/mt5/terminal";
import { type SimulatedBatch, SimulatedTerminal } from "@/lib/feeds/mt5/terminal.fixture";
import { tickPush } from "@/lib/feeds/mt5/tick-push";
import type { Tick } from "@/lib/market/bar";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

/** That of a database which no server has recorded on. */
const FENCE = 0;
const START = Date.parse("2026-03-09T10:00:00Z");
const read = (batch: SimulatedBatch) => tickPush.parse(batch);

describe("a terminal", () => {
  let id: { id: string; source: string };
  let ticks: Tick[];
  beforeEach(async () => {
    id = { id: randomUUID(), source: "icm" };
    ticks = [];
    await testDatabase.db.pool.query("DELETE FROM ingest_token");
    await testDatabase.db.pool.query(
      `INSERT INTO ingest_token (id, source, secret_hash, start, last4, created_at) VALUES ($1, 'icm', $2, '', '', now())`,
      [id.id, id.id],
    );
  });

  function open(fence = FENCE): Terminal {
    const inlets = new Inlets();
    inlets.open("icm", { received: () => {}, ticks: (batch) => void ticks.push(...batch) });
    return new Terminal(id, { pool: testDatabase.db.pool, inlets, fence });
  }
  const simulate = (bootId = "run-1", offsetMs = 3 * HOUR_MS) =>
    new SimulatedTerminal({ bootId, offsetMs, startMs: START });
  const utcTimes = () => ticks.map(({ brokerTimeMs }) => brokerTimeMs - START);

  test("Ticks wait until the offset of the clock is known, and none is lost.", async () => {
    const [terminal, ea] = [open(), simulate()];
    const outcomes = [];
    for (let count = 0; count < 4; count++) outcomes.push(await terminal.accept(read(ea.next()), ea.nowMs + 40));
    expect(outcomes.map(({ ack, clock }) => [ack, clock])).toEqual([
      [1, "unknown"],
      [2, "unknown"],

      [3, "known"],
      [4, "known"],
    ]);
    expect(utcTimes()).toEqual([400, 800, 1400, 1800, 2400, 2800, 3400, 3800]);
  });

  test("A batch that is sent again is acknowledged and adds nothing, also after a restart.", async () => {
    const [terminal, ea] = [open(), simulate()];
    const batches = Array.from({ length: 5 }, () => ea.next());
    for (const batch of batches) await terminal.accept(read(batch), batch.sent_gmt);
    const passed = ticks.length;
    const later = { ...batches[3], sent_gmt: ea.nowMs + 9_000 } as SimulatedBatch;
    expect(await terminal.accept(read(later), ea.nowMs)).toMatchObject({ ack: 4, repeated: true });
    expect(ticks).toHaveLength(passed);

    ticks = [];
    const again = open();
    await again.restore(ea.nowMs);
    expect(ticks).toHaveLength(passed);
    expect(await again.accept(read(later), ea.nowMs)).toMatchObject({ ack: 4, repeated: true });
    expect(await again.accept(read(ea.next()), ea.nowMs)).toEqual({ ack: 6, repeated: false, clock: "known" });
    expect(ticks).toHaveLength(passed + 2);
  });

  test("A server that another one has taken over from stores nothing, and acknowledges nothing.", async () => {
    const [former, next, ea] = [open(FENCE - 1), open(), simulate()];
    const batch = ea.next();
    await expect(former.accept(read(batch), ea.nowMs)).rejects.toBeInstanceOf(OtherServerRecords);
    expect(await readBatches(testDatabase.db.pool, id.id, ea.nowMs)).toEqual([]);
    expect(await next.accept(read(batch), ea.nowMs)).toMatchObject({ ack: 1, repeated: false });
  });

  test("Batches of one terminal that come at the same moment are stored once each.", async () => {
    const [terminal, ea] = [open(), simulate()];
    const batches = Array.from({ length: 4 }, () => ea.next()).flatMap((batch) => [batch, batch]);
    const outcomes = await Promise.all(batches.map((batch) => terminal.accept(read(batch), batch.sent_gmt)));
    expect(outcomes.map(({ repeated }) => repeated)).toEqual([false, true, false, true, false, true, false, true]);
    expect(ticks).toHaveLength(8);
  });

  test("A gap is reported and counted, and a batch of it can still come.", async () => {
    const [terminal, ea] = [open(), simulate()];
    for (let count = 0; count < 3; count++) await terminal.accept(read(ea.next()), ea.nowMs);
    const missed = ea.next();
    ea.skip(2);
    expect(await terminal.accept(read(ea.next()), ea.nowMs)).toMatchObject({ ack: 7, expected: 4 });
    expect(terminal.counts.skipped).toBe(3);
    expect(await terminal.accept(read(missed), ea.nowMs)).toMatchObject({ ack: 4, repeated: false });
    expect(await terminal.accept(read(missed), ea.nowMs)).toMatchObject({ ack: 4, repeated: true });
  });

  test.each([-HOUR_MS, HOUR_MS])(
    "A trade server whose clock jumps by %d ms sends no tick to a wrong time.",
    async (jump) => {
      const [terminal, ea] = [open(), simulate()];
      for (let count = 0; count < 5; count++) await terminal.accept(read(ea.next()), ea.nowMs);
      ea.offsetMs += jump;
      const clocks = [];
      for (let count = 0; count < 5; count++) clocks.push((await terminal.accept(read(ea.next()), ea.nowMs)).clock);
      expect(clocks).toEqual(["in_doubt", "in_doubt", "known", "known", "known"]);
      expect(utcTimes()).toEqual(
        Array.from({ length: 10 }, (_, index) => [400 + index * 1000, 800 + index * 1000]).flat(),
      );
      expect(terminal.offsetMs).toBe(3 * HOUR_MS + jump);
    },
  );

  test("Batches that waited in the terminal have the time at which they were built.", async () => {
    const [terminal, ea] = [open(), simulate()];
    const wrongPcMs = 7 * MINUTE_MS;
    const outage = 20 * MINUTE_MS;
    for (let count = 0; count < 6; count++) {
      const { made_gmt, ...batch } = ea.next();
      const sent = { ...batch, made_gmt: made_gmt + wrongPcMs, sent_gmt: made_gmt + outage + wrongPcMs };
      await terminal.accept(read(sent), made_gmt + outage);
    }
    expect(terminal.offsetMs).toBe(3 * HOUR_MS);
    expect(utcTimes().slice(0, 2)).toEqual([400, 800]);
  });

  test("Two terminals with one token are noticed, and a new run of one is not.", async () => {
    const terminal = open();
    const [first, second] = [simulate("a"), simulate("b")];
    expect((await terminal.accept(read(first.next()), first.nowMs)).warning).toBeUndefined();
    expect((await terminal.accept(read(second.next()), second.nowMs)).warning).toBeUndefined();
    expect((await terminal.accept(read(first.next()), first.nowMs)).warning).toMatch("Another run");
    expect(terminal.counts.conflicts).toBe(1);
  });

  test("Two terminals with one boot id are noticed, and nothing of the second is acknowledged.", async () => {
    const terminal = open();
    const first = simulate("same");
    const second = new SimulatedTerminal({ bootId: "same", symbol: "XAUUSD-", startMs: START });
    await terminal.accept(read(first.next()), first.nowMs);
    await expect(terminal.accept(read(second.next()), second.nowMs)).rejects.toBeInstanceOf(BootIdTaken);
    expect(await terminal.accept(read(first.next()), first.nowMs)).toMatchObject({ ack: 2, repeated: false });
  });

  test("Batches are deleted minutes after they came, and a cut second is not passed on again.", async () => {
    const { pool } = testDatabase.db;
    const [terminal, ea] = [open(), simulate()];
    for (let count = 0; count < 8; count++) {
      await terminal.accept(read(ea.next()), ea.nowMs);
      ea.nowMs += MINUTE_MS;
    }
    await deleteOldBatches(pool);
    const seqs = (await readBatches(pool, id.id, ea.nowMs)).map(({ seq }) => seq);
    expect(seqs[0]).toBeGreaterThan(3);
    expect(seqs.at(-1)).toBe(8);
    expect(await terminal.accept(read(ea.next()), ea.nowMs)).toMatchObject({ repeated: false });
  });
});
