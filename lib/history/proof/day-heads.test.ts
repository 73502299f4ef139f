import { appendFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { HeadCopy, noteHeads, readCopiedLines } from "@/lib/history/proof/day-heads";
import { clearHistory, recordHour, START, verify } from "@/lib/history/proof/history.fixture";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const SYMBOLS = ["EURUSD", "USDJPY"];

describe("the heads of days", () => {
  let file: string;
  beforeEach(async () => {
    await clearHistory(getPool());
    file = join(await mkdtemp(join(tmpdir(), "spotline-heads-")), "data", "history-heads");
  });

  const getPool = () => testDatabase.db.pool;
  /** Records an hour of the day, 13 for the first, and writes its head. */
  const record = async (hour: number) => {
    await recordHour(getPool(), START + (hour - 13) * HOUR_MS, SYMBOLS);
    return noteHeads(getPool(), FIRST_FENCE, START + (hour - 12) * HOUR_MS + 65_000);
  };
  const copy = async () => {
    const copying = new HeadCopy({ pool: getPool(), file, log: silentLog });
    await copying.restore();
    await copying.copy();
  };
  const find = async () =>
    (await verify(getPool(), [{ name: "the file", lines: readCopiedLines(file) }])).findings.map(
      ({ kind: what, message }) => `${what}: ${message}`,
    );
  /** A copy of the tables, as in a backup. */
  const backUp = async () => {
    const tables = ["tick_hour", "hour_proof", "history_head", "closed_hour"];
    const rows = await Promise.all(tables.map(async (table) => (await getPool().query(`SELECT * FROM ${table}`)).rows));
    return async () => {
      for (const table of tables) await getPool().query(`DELETE FROM ${table}`);
      await getPool().query("UPDATE proof_state SET noted = 0");
      for (const [index, table] of tables.entries()) {
        for (const row of rows[index] as Record<string, unknown>[]) {
          const names = Object.keys(row);
          const values = names.map((_, at) => `$${at + 1}`);
          await getPool().query(`INSERT INTO ${table} (${names.join()}) VALUES (${values.join()})`, Object.values(row));
        }
      }
    };
  };

  test("Each changed day gets a line, and a day that did not change gets none", async () => {
    expect(await noteHeads(getPool(), FIRST_FENCE, START)).toBeNull();
    expect(await record(13)).toMatchObject({ line: 1, symbols: 2, isComplete: true, removedUntilMs: null });
    expect(await record(24)).toMatchObject({ line: 2, symbols: 2 });
    expect(await noteHeads(getPool(), FIRST_FENCE, START)).toMatchObject({ line: 2 });
    await copy();
    await record(14);
    await copy();
    const text = await readFile(file, "utf8");
    expect(text.split("\n").filter((line) => line !== "")).toEqual([
      expect.stringMatching(/^1 2026-11-20 2 \d+ [\da-f]{64} - complete 2026-11-20T14:01:05.000Z [\da-f]{64}$/),
      expect.stringMatching(/^2 2026-11-21 2 /),
      expect.stringMatching(/^3 2026-11-20 2 /),
    ]);
    expect(await find()).toEqual([]);
    expect(await verify(getPool(), [{ name: "the file", lines: readCopiedLines(file) }])).toMatchObject({
      lines: 3,
      copied: 3,
    });
  });

  test("A server that does not record writes no line", async () => {
    await recordHour(getPool(), START, SYMBOLS);
    await expect(noteHeads(getPool(), FIRST_FENCE + 1, START)).rejects.toThrow(LeaseLost);
  });

  test("A line that a crash left incomplete is copied again", async () => {
    await record(13);
    await copy();
    await appendFile(file, "2 2026-11-20 2 17 abc");
    await record(14);
    await copy();
    expect(await find()).toEqual([]);
    expect((await readFile(file, "utf8")).match(/^2 /gm)).toHaveLength(2);
  });

  test("Hours and hashes that were removed together are missing in the head of their day", async () => {
    await record(13);
    await record(14);
    await copy();
    await getPool().query("DELETE FROM tick_hour WHERE symbol = 'USDJPY'");
    await getPool().query("DELETE FROM hour_proof WHERE symbol = 'USDJPY'");
    expect(await find()).toEqual([expect.stringMatching(/^head: The hashes of 2026-11-20 are not those of/)]);
  });

  test("Heads that were rewritten with everything else do not fit the file", async () => {
    await record(13);
    await record(14);
    await copy();
    await clearHistory(getPool());
    await recordHour(getPool(), START, ["EURUSD"]);
    await noteHeads(getPool(), FIRST_FENCE, START);
    await recordHour(getPool(), START + HOUR_MS, ["EURUSD"]);
    await noteHeads(getPool(), FIRST_FENCE, START);
    expect(await find()).toEqual([
      "head: Line 1 of the heads is not the one in the file: the heads in the database were rewritten.",
    ]);
  });

  test("A database that is older than the file is reported as that, also once it records again", async () => {
    await record(13);
    const restore = await backUp();
    await record(14);
    await record(15);
    await copy();
    await restore();
    expect(await find()).toEqual([
      "older: The database is older than the file: after line 1 of 2026-11-20 it does not have its lines, of which the last is 3. That is so after a backup was restored; then move the file away.",
    ]);
    await record(17);
    expect(await find()).toEqual([expect.stringMatching(/^older: The database is older than the file: after line 1 /)]);
    await copy();
    expect(await find()).toEqual([expect.stringMatching(/^older: The database is older than the file: after line 1 /)]);
    await writeFile(file, "");
    await copy();
    expect(await find()).toEqual([]);
  });
});
