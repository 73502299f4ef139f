import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { importAll } from "@/lib/history/import/import-all";
import { readImportOptions } from "@/lib/history/import/import-options";
import { beginCommand, claimRun, endWork, expireUndo, readRun } from "@/lib/history/import/import-runs";
import { clearImports, createTicks, formatTicks, readTables, type Tick } from "@/lib/history/import/import.fixture";
import { removeImports } from "@/lib/history/import/imported-hours";
import { listImportFiles } from "@/lib/history/import/plan-import";
import { type RunClaim, RunStopped } from "@/lib/history/import/run-claim";
import { requireUndoable, undoClaimed } from "@/lib/history/import/undo-import";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { instruments } from "@/lib/market/catalog";
import { getBarStart } from "@/lib/market/timeframe";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const START = Date.UTC(2024, 4, 14, 6);
const HISTORY = { priority: [], untilMs: Date.UTC(2026, 0), spreadsFromMs: 0 };

describe("undoing an import", () => {
  beforeEach(async () => {
    await clearImports(getPool());
    await getPool().query("DELETE FROM import_run");
  });

  const getPool = () => testDatabase.db.pool;

  /** Imports ticks as one import, and returns it. */
  async function runImport(ticks: readonly Tick[], source = "mine", claim?: RunClaim) {
    const path = join(writeFiles({ "eurusd.csv": formatTicks(ticks) }), "eurusd.csv");
    const run = claim ?? (await beginCommand(getPool(), [{ path, bytes: 1, modifiedMs: 0 }], { source }));
    const settings = readImportOptions({ source });
    const done = await importAll(testDatabase.db, listImportFiles([path]), {
      ...{ ...HISTORY, ...settings, run, isDryRun: false },
    });
    const { json, summary } = done;
    await endWork(getPool(), run, { state: done.failed ? "failed" : "done", report: json, summary });
    return { id: run.id, added: json.added, path, known: summary.known };
  }

  async function claimUndo(id: string): Promise<RunClaim> {
    const claim = { id, worker: randomUUID() };
    await getPool().query("UPDATE import_run SET state = 'undoing', worker = NULL WHERE id = $1", [id]);
    expect(await claimRun(getPool(), claim)).toBe("undoing");
    return claim;
  }

  const undo = async (id: string) => undoClaimed(getPool(), await claimUndo(id), HISTORY);

  /** An hour that back-filling has sampled: two ticks and their bars. */
  async function backfill(hourMs: number) {
    await runImport([
      [hourMs + 1_000, 108_300, 108_304],
      [hourMs + 90_000, 108_310, 108_314],
    ]);
    await getPool().query("UPDATE bar SET origin = NULL");
    for (const table of ["import_hour", "import_file", "imported_span", "import_run"])
      await getPool().query(`DELETE FROM ${table}`);
  }

  test("leaves what overlapping imports stored as it was before each of them", async () => {
    const ticks = createTicks(START, 6_000, 7);
    const states: unknown[] = [await readTables(getPool())];
    const runs: string[] = [];
    for (const [source, piece] of [
      ["mine", ticks.slice(0, 3_000)],
      ["mine", ticks.slice(2_000, 5_000)],
      ["alpha", ticks.slice(1_000, 6_000).map(([timeMs, bid, ask]): Tick => [timeMs + 7, bid - 9, ask])],
      ["mine", ticks.filter((_, index) => index % 3 === 0)],
    ] as const) {
      runs.push((await runImport(piece, source)).id);
      states.push(await readTables(getPool()));
    }
    for (const id of runs.toReversed()) {
      states.pop();
      expect(await undo(id)).toBeGreaterThan(0);
      expect(await readTables(getPool())).toEqual(states.at(-1));
      expect(await readRun(getPool(), id)).toMatchObject({ state: "undone", canUndo: false });
    }
  });

  test("is refused with the name of the import that must be undone first", async () => {
    const ticks = createTicks(START, 3_000);
    const first = await runImport(ticks.slice(0, 2_000));
    const second = await runImport(ticks.slice(1_000));
    await expect(requireUndoable(getPool(), first.id)).rejects.toThrow(
      `The import ${second.id} changed the same hours of EURUSD later: undo that one first.`,
    );
    const before = await readTables(getPool());
    await expect(undo(first.id)).rejects.toThrow("undo that one first");
    expect(await readTables(getPool())).toEqual(before);
    await undo(second.id);
    await undo(first.id);
    expect(await readRun(getPool(), first.id)).toMatchObject({ state: "undone" });
  });

  test("imports of other sources in the same hours do not stand in the way", async () => {
    const other = createTicks(START, 2_000, 5);
    await runImport(other, "other");
    const alone = await readTables(getPool());
    await clearImports(getPool());
    await getPool().query("DELETE FROM import_run");
    const first = await runImport(createTicks(START, 2_000, 9), "mine");
    await runImport(other, "other");
    await undo(first.id);
    expect(await readTables(getPool())).toEqual(alone);
  });

  test("restores long bars that were back-filled without shorter ones", async () => {
    const insert = (timeframe: number, timeMs: number) =>
      getPool().query(
        "INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume) VALUES ('EURUSD', $1, $2, 1, 9, 1, 5, 7)",
        [timeframe, timeMs / 1000],
      );
    await insert(1_440, getBarStart("D1", START));
    await insert(10_080, getBarStart("W1", START));
    const before = await readTables(getPool());
    const first = await runImport(createTicks(START, 2_000, 5), "alpha");
    const second = await runImport(createTicks(START + 30 * HOUR_MS, 2_000, 5), "beta");
    await undo(first.id);
    expect(await readTables(getPool())).not.toEqual(before);
    await undo(second.id);
    expect(await readTables(getPool())).toEqual(before);
    expect((await getPool().query("SELECT FROM replaced_bar")).rows).toEqual([]);
  });

  test("restores the hours that were recorded and those that were back-filled", async () => {
    const keeper = new HistoryKeeper({ pool: getPool(), instruments, marketNow: () => START + HOUR_MS });
    const prices = { bid: 107_000, ask: 107_009, open: 106_998, high: 107_004, low: 106_996 };
    const row: SecondRow = { symbol: "EURUSD", digits: 5, second: START / 1000 + 65, ...prices, updates: 3 };
    await backfill(START - 2 * HOUR_MS);
    await journalRows(getPool(), [row]);
    keeper.onRecorded([row], START + HOUR_MS);
    await keeper.close(START, FIRST_FENCE);
    const before = await readTables(getPool());
    const ticks = createTicks(START - 3 * HOUR_MS, 4_000);
    const first = await runImport(ticks, "alpha");
    const second = await runImport(ticks.slice(500), "beta");
    expect(await readTables(getPool())).not.toEqual(before);
    await undo(first.id);
    await undo(second.id);
    expect(await readTables(getPool())).toEqual(before);
    await runImport(ticks, "gamma");
    await removeImports(getPool(), { symbol: "EURUSD", source: "gamma", ...HISTORY });
    expect(await readTables(getPool())).toEqual(before);
  });

  test("goes on where it was interrupted, and lets the file be imported again", async () => {
    const ticks = Array.from({ length: 150 }, (_, hour): Tick => [
      START + hour * HOUR_MS,
      108_000 + hour,
      108_004 + hour,
    ]);
    const before = await readTables(getPool());
    const { id, added } = await runImport(ticks);
    const after = await readTables(getPool());
    const claim = await claimUndo(id);
    let calls = 0;
    const onProgress = () => {
      if (++calls === 2) throw new Error("killed");
    };
    await expect(undoClaimed(getPool(), claim, { ...HISTORY, onProgress })).rejects.toThrow("killed");
    expect(await readTables(getPool())).not.toEqual(after);
    expect(await undo(id)).toBe(150 - 2 * 48);
    expect(await readTables(getPool())).toEqual(before);
    expect(await runImport(ticks)).toMatchObject({ added, known: 0 });
    expect(await readTables(getPool())).toEqual(after);
  });

  test("a file that two imports have read in parts is read again after one of them is undone", async () => {
    const ticks = createTicks(START, 2_000);
    const first = await runImport(ticks);
    await getPool().query("UPDATE import_file SET rows = 1000, finished = FALSE");
    const second = await runImport(ticks);
    expect(second.known).toBe(0);
    await undo(second.id).catch(() => {});
    await undo(first.id);
    expect((await getPool().query("SELECT FROM import_file")).rows).toEqual([]);
  });

  test("a stopped import, or one that another process has taken over, stores nothing more", async () => {
    const before = await readTables(getPool());
    for (const change of ["state = 'cancelled'", `worker = '${randomUUID()}'`]) {
      const claim = await beginCommand(getPool(), [], {});
      await getPool().query(`UPDATE import_run SET ${change} WHERE id = $1`, [claim.id]);
      await expect(runImport(createTicks(START, 500), "mine", claim)).rejects.toThrow(RunStopped);
    }
    expect(await readTables(getPool())).toEqual(before);
  });

  test("removing a source leaves nothing of it to undo, and an import is kept for undoing for 90 days", async () => {
    const ticks = createTicks(START, 1_000);
    const removed = await runImport(ticks);
    await removeImports(getPool(), { symbol: "EURUSD", source: "mine", ...HISTORY });
    expect(await readRun(getPool(), removed.id)).toMatchObject({ canUndo: false });
    const kept = await runImport(ticks);
    await getPool().query("UPDATE import_run SET changed_at = now() - interval '89 days'");
    await expireUndo(getPool());
    expect(await readRun(getPool(), kept.id)).toMatchObject({ canUndo: true });
    await getPool().query("UPDATE import_run SET changed_at = now() - interval '91 days'");
    await expireUndo(getPool());
    expect(await readRun(getPool(), kept.id)).toMatchObject({ canUndo: false, state: "done" });
    expect((await getPool().query("SELECT FROM import_undo")).rows).toEqual([]);
  });

  test("takes the digits back that its prices raised, and leaves those that another import has", async () => {
    const digits = async () => (await getPool().query("SELECT digits FROM price_digits WHERE symbol = 'EURUSD'")).rows;
    const run = async (bid: string, second: number) => {
      const path = join(
        writeFiles({ "eurusd.csv": `time,bid,ask\n${START + second * 1_000},${bid},1.0859\n` }),
        "eurusd.csv",
      );
      const claim = await beginCommand(getPool(), [{ path, bytes: 1, modifiedMs: 0 }], {});
      await importAll(testDatabase.db, listImportFiles([path]), {
        ...HISTORY,
        ...readImportOptions({}),
        run: claim,
        isDryRun: false,
      });
      await endWork(getPool(), claim, { state: "done" });
      return claim.id;
    };
    const [six, seven] = [await run("1.085321", 1), await run("1.0853217", 2)];
    expect(await digits()).toEqual([{ digits: 7 }]);
    await undo(seven);
    expect(await digits()).toEqual([{ digits: 6 }]);
    await undo(six);
    expect(await digits()).toEqual([{ digits: 0 }]);
  });
});
