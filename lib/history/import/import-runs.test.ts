import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  beginCommand,
  claimRun,
  listFinished,
  listRuns,
  noteReceiving,
  readRun,
  removeAbandoned,
} from "@/lib/history/import/import-runs";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

describe("the rows of imports", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());
  beforeEach(() => getPool().query("DELETE FROM import_run"));

  const getPool = () => testDatabase.db.pool;

  /** Adds an import that was last changed some hours ago. */
  async function add(state: string, hoursAgo: number): Promise<string> {
    const id = randomUUID();
    await getPool().query(
      `INSERT INTO import_run (id, by_command, state, files, file_count, bytes, options, summary, changed_at)
       VALUES ($1, FALSE, $2, '[]', 0, 0, '{}', '{"rows": 5, "accepted": 4, "added": 3, "series": [{}]}',
               now() - make_interval(hours => $3))`,
      [id, state, hoursAgo],
    );
    return id;
  }

  const listIds = async () => (await listRuns(getPool())).map(({ id }) => id).sort();

  test("leave with an upload or a plan that is a day old, and with a command that stored nothing", async () => {
    const kept = [await add("uploading", 23), await add("planned", 23), await add("failed", 25), await add("done", 25)];
    const left = [await add("uploading", 25), await add("planned", 25)];
    const command = await beginCommand(getPool(), [], {});
    const ended = await beginCommand(getPool(), [], {});
    const old = "changed_at = now() - interval '25 hours'";
    await getPool().query(`UPDATE import_run SET ${old} WHERE id = $1`, [command.id]);
    await getPool().query(`UPDATE import_run SET ${old}, seen_at = now() - interval '1 minute' WHERE id = $1`, [
      ended.id,
    ]);
    expect(await listIds()).toHaveLength(8);
    await removeAbandoned(getPool());
    expect(await listIds()).toEqual([...kept, command.id].sort());
    const files = await listFinished(getPool(), [...kept, ...left]);
    expect(files.sort()).toEqual([...kept.slice(2), ...left].sort());
  });

  test("stay with an upload that receives something, however long it takes", async () => {
    const id = await add("uploading", 25);
    expect(await noteReceiving(getPool(), id)).toBe("uploading");
    await removeAbandoned(getPool());
    expect(await listIds()).toEqual([id]);
    const planned = await add("planned", 25);
    expect(await noteReceiving(getPool(), planned)).toBe("planned");
    await removeAbandoned(getPool());
    expect(await noteReceiving(getPool(), planned)).toBeNull();
  });

  test("set a plan aside whose processes ended twice without a word, also over restarts of the server", async () => {
    const id = await add("planning", 0);
    const claim = async () => {
      const state = await claimRun(getPool(), { id, worker: randomUUID() });
      await getPool().query("UPDATE import_run SET seen_at = now() - interval '1 minute' WHERE id = $1", [id]);
      return state;
    };
    expect([await claim(), await claim()]).toEqual(["planning", "planning"]);
    expect((await readRun(getPool(), id))?.state).toBe("planning");
    expect(await claim()).toBeNull();
    expect(await readRun(getPool(), id)).toMatchObject({ state: "failed", error: expect.stringContaining("Twice") });
    // It may be read again, and counts anew.
    await getPool().query("UPDATE import_run SET state = 'planning' WHERE id = $1", [id]);
    expect(await claim()).toBe("planning");
  });

  test("are listed with the numbers of their rows, and read with all that is known of them", async () => {
    const id = await add("done", 1);
    const row = { id, state: "done", fileCount: 0, firstFile: "", isImported: false };
    expect(await listRuns(getPool())).toMatchObject([{ ...row, summary: { accepted: 4, added: 3 } }]);
    expect((await readRun(getPool(), id))?.summary).toEqual({ rows: 5, accepted: 4, added: 3, series: [{}] });
  });
});
