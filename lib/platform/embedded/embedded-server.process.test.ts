import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { joinDatabase, openDatabase } from "../database/database";
import { silentLog } from "../log/log";
import { createEmbeddedTestPlace, type TestPlace } from "../testing/databases";
import { readLines, startChild } from "../testing/run-child";

/** Every thread that this process has started. */
const threads: Worker[] = [];
const rememberThread = (thread: Worker) => void threads.push(thread);

describe("the embedded database", () => {
  let place: TestPlace;
  beforeAll(() => void process.on("worker", rememberThread));
  afterAll(() => void process.off("worker", rememberThread));
  beforeEach(async () => {
    place = await createEmbeddedTestPlace();
  });
  afterEach(() => place.remove());
  const open = (dataDir = place.dataDir) => openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });

  test("is created on the first start, with access for its owner only", async () => {
    await rm(path.join(place.dataDir, "postgres"), { recursive: true });
    const db = await open();
    expect((await db.pool.query("SHOW fsync")).rows).toEqual([{ fsync: "on" }]);
    expect(await db.prisma.accessRevision.count()).toBe(1);
    await db.close();
    expect((await readdir(place.dataDir)).sort()).toEqual(["lock.1", "postgres"]);
  });

  test("loses no acknowledged row to kill -9, and can be opened afterwards", async () => {
    const acknowledged: string[] = [];
    for (const killAfter of [1, 37, 211, 604]) {
      acknowledged.push(...(await readLines(await startChild("insert", place.dataDir), killAfter)));
    }
    const db = await open();
    const { rows } = await db.pool.query<{ missing: string }>(
      "SELECT missing FROM unnest($1::bigint[]) missing WHERE NOT EXISTS (SELECT 1 FROM acknowledged WHERE id = missing)",
      [acknowledged],
    );
    expect(rows).toEqual([]);
    const { rows: sound } = await db.pool.query(
      "SELECT count(*)::int - count(DISTINCT id)::int AS twice FROM acknowledged",
    );
    expect(sound).toEqual([{ twice: 0 }]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(1 + 37 + 211 + 604);
    await db.close();
  });

  test("refuses a second server, in the same process or another", async () => {
    const db = await open();
    await expect(open()).rejects.toMatchObject({ code: "DATA_FOLDER_IN_USE" });
    expect(await readLines(await startChild("open", place.dataDir))).toEqual([
      `The data folder ${place.dataDir} is in use by another server (process ${process.pid}): stop it first, or choose another folder.`,
    ]);
    expect((await db.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await db.close();
    expect(await readLines(await startChild("open", place.dataDir))).toEqual(["opened"]);
  });

  test("can be joined by a command, or opened if no server runs", async () => {
    const db = await open();
    expect(await readLines(await startChild("join", place.dataDir))).toEqual(["joined"]);
    expect(await db.prisma.setting.findMany()).toMatchObject([{ name: "from a command" }]);
    await db.close();
    const command = await joinDatabase({ databaseUrl: undefined, dataDir: place.dataDir, log: silentLog });
    expect(await command.prisma.setting.count()).toBe(1);
    await command.close();
    await (await open()).close();
  });

  test("makes a command wait for a server that is still starting", async () => {
    const opening = open();
    await vi.waitFor(async () => expect(await readdir(place.dataDir)).toContain("lock.1"));
    const command = await joinDatabase({ databaseUrl: undefined, dataDir: place.dataDir, log: silentLog });
    expect(await command.prisma.accessRevision.count()).toBe(1);
    await command.close();
    await (await opening).close();
  });

  test("opens in a folder whose path is too long for a socket", async () => {
    const parent = await mkdtemp(path.join(os.tmpdir(), "spotline-long-"));
    const dataDir = path.join(parent, "long-".repeat(40));
    await mkdir(dataDir);
    await rename(path.join(place.dataDir, "postgres"), path.join(dataDir, "postgres"));
    const db = await open(dataDir);
    const command = await joinDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
    expect((await command.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await command.close();
    await db.close();
    await rm(parent, { recursive: true, force: true });
  });

  test("restarts when its thread ends, with every acknowledged row", async () => {
    const db = await open();
    await db.prisma.setting.create({ data: { name: "kept", value: "1" } });
    await threads.at(-1)?.terminate();
    await expect.poll(() => db.prisma.setting.count().catch(() => 0), { timeout: 10_000 }).toBe(1);
    await db.close();
  });
});
