import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { joinDatabase, openDatabase } from "../database/database";
import { silentLog } from "../log/log";
import { createOpenFolder } from "../testing/cluster";
import { readLines, startChild } from "../testing/run-child";
import { readEmbeddedSettings, startEmbeddedServer } from "./embedded-server";
import { DATABASE_FOLDER, listAbandoned, PLACE_FILE, preparePlace } from "./place";

const isRoot = process.getuid?.() === 0;
/** A data folder with a migrated database, which tests copy. */
let template: string;
let dataDir: string;
beforeAll(async () => {
  template = createOpenFolder(path.join(os.tmpdir(), "spotline-embedded-"));
  await (await openIn(template)).close();
});
afterAll(() => rm(template, { recursive: true }));
beforeEach(async () => {
  dataDir = createOpenFolder(path.join(os.tmpdir(), "spotline-embedded-"));
  await cp(path.join(template, DATABASE_FOLDER), path.join(dataDir, DATABASE_FOLDER), { recursive: true });
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

const openIn = (folder: string) => openDatabase({ databaseUrl: undefined, dataDir: folder, log: silentLog });
const joinIn = (folder: string) => joinDatabase({ databaseUrl: undefined, dataDir: folder, log: silentLog });
const readPid = () =>
  Number(readFileSync(path.join(dataDir, DATABASE_FOLDER, "postmaster.pid"), "utf8").split("\n")[0]);

describe("the embedded database", () => {
  test("is created on the first start, durable and with access for its owner only", async () => {
    await rm(path.join(dataDir, DATABASE_FOLDER), { recursive: true });
    const db = await openIn(dataDir);
    const { rows } = await db.pool.query(
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('listen_addresses') AS addresses",
    );
    expect(rows).toEqual([{ fsync: "on", commit: "on", addresses: "" }]);
    const folder = path.join(dataDir, DATABASE_FOLDER);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, ".s.PGSQL.5432")).mode & 0o777).toBe(0o700);
    await db.close();
    expect((await readdir(dataDir)).sort()).toEqual(["lock.1", DATABASE_FOLDER, `${DATABASE_FOLDER}.log`]);
  });

  test("loses no acknowledged row to kill -9 of its server, and goes on under the next one", async () => {
    const acknowledged: string[] = [];
    const pids = new Set<number>();
    for (const killAfter of [1, 37, 211, 604]) {
      acknowledged.push(...(await readLines(await startChild("insert", dataDir), killAfter)));
      pids.add(readPid());
    }
    const db = await openIn(dataDir);
    pids.add(readPid());
    expect(pids.size).toBe(1);
    const { rows } = await db.pool.query<{ missing: string }>(
      "SELECT missing FROM unnest($1::bigint[]) missing WHERE NOT EXISTS (SELECT 1 FROM acknowledged WHERE id = missing)",
      [acknowledged],
    );
    expect(rows).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(1 + 37 + 211 + 604);
    await db.close();
    expect(existsSync(path.join(dataDir, DATABASE_FOLDER, "postmaster.pid"))).toBe(false);
  });

  test("is started again with other settings where it was started with those of another version", async () => {
    const opened = await openIn(dataDir);
    const before = readPid();
    await writeFile(path.join(dataDir, DATABASE_FOLDER, "postmaster.opts"), "others");
    const other = await startEmbeddedServer(dataDir, silentLog);
    expect(readPid()).not.toBe(before);
    await other.stop();
    await opened.close();
  });

  test("is refused to a second server, in the same process or another", async () => {
    const db = await openIn(dataDir);
    await expect(openIn(dataDir)).rejects.toMatchObject({ code: "DATA_FOLDER_IN_USE" });
    expect(await readLines(await startChild("open", dataDir))).toEqual([
      `The data folder ${dataDir} is in use by another server (process ${process.pid}): stop it first, or choose another folder.`,
    ]);
    expect((await db.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await db.close();
    expect(await readLines(await startChild("open", dataDir))).toEqual(["opened"]);
  });

  test("can be joined by a command, also while it starts, or opened if no server runs", async () => {
    const opening = openIn(dataDir);
    await vi.waitFor(async () => expect(await readdir(dataDir)).toContain("lock.1"));
    const early = await joinIn(dataDir);
    expect(await early.prisma.accessRevision.count()).toBe(1);
    await early.close();
    const db = await opening;
    expect(await readLines(await startChild("join", dataDir))).toEqual(["joined"]);
    expect(await db.prisma.setting.findMany()).toMatchObject([{ name: "from a command" }]);
    await db.close();
    const command = await joinIn(dataDir);
    expect(await command.prisma.setting.count()).toBe(1);
    await command.close();
    await (await openIn(dataDir)).close();
  });

  test("restarts when it is killed, with every acknowledged row, while connections wait or fail", async () => {
    const db = await openIn(dataDir);
    await db.prisma.setting.create({ data: { name: "kept", value: "1" } });
    process.kill(readPid(), "SIGKILL");
    await expect.poll(() => db.prisma.setting.count().catch(() => 0), { timeout: 20_000 }).toBe(1);
    await db.close();
  });

  test.runIf(process.platform === "linux")(
    "is started once where its folder was moved while it ran alone",
    async () => {
      const acknowledged = await readLines(await startChild("insert", dataDir), 50);
      const left = readPid();
      const moved = `${dataDir}-moved`;
      await rename(dataDir, moved);
      dataDir = moved;
      const db = await openIn(moved);
      expect(readPid()).not.toBe(left);
      expect(existsSync(`/proc/${left}/cwd`)).toBe(false);
      const { rows } = await db.pool.query("SELECT count(*)::int AS rows FROM acknowledged WHERE id = ANY ($1)", [
        acknowledged,
      ]);
      expect(rows).toEqual([{ rows: acknowledged.length }]);
      await db.close();
    },
  );

  test("is started although its last process's number is another process's by now", async () => {
    const file = path.join(dataDir, DATABASE_FOLDER, "postmaster.pid");
    // A process of the account that runs the database, whose number PostgreSQL would believe.
    const { uid, gid } = statSync(path.join(dataDir, DATABASE_FOLDER));
    const owner = uid === 0 ? (await preparePlace(dataDir, silentLog)).account : { uid, gid };
    const other = spawn("sleep", ["60"], { ...owner, stdio: "ignore" });
    await writeFile(file, `${other.pid}\n${dataDir}\n1\n5432\n${dataDir}\n\n  1 1\nready   \n`);
    const db = await openIn(dataDir);
    expect(readPid()).not.toBe(other.pid);
    await db.close();
    other.kill();
  });

  test.each([
    ["is too long for a socket", "long-".repeat(20)],
    ["has a comma", "prices, mine"],
  ])("asks for a password at the loopback where the path %s", async (_what, name) => {
    const long = path.join(createOpenFolder(path.join(os.tmpdir(), "spotline-long-")), name);
    await mkdir(long);
    if (isRoot) chmodSync(long, 0o711);
    await rename(path.join(dataDir, DATABASE_FOLDER), path.join(long, DATABASE_FOLDER));
    const db = await openIn(long);
    const command = await joinIn(long);
    expect((await command.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await command.close();
    const settings = await readEmbeddedSettings(long);
    expect(settings).toMatchObject({ host: "127.0.0.1", password: expect.stringMatching(/^[\w-]{32}$/) as string });
    const { Client } = await import("pg");
    const stranger = new Client({ ...settings, password: "guessed" });
    await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });
    await db.close();
    await rm(path.dirname(long), { recursive: true });
  });
});

describe("a folder whose database does not start", () => {
  const folder = () => path.join(dataDir, DATABASE_FOLDER);

  test.each([
    ["an overwritten control file", () => writeFile(path.join(folder(), "global", "pg_control"), "x")],
    ["no log", () => rm(path.join(folder(), "pg_wal"), { recursive: true })],
    ["a lost catalog", () => rm(path.join(folder(), "global", "pg_filenode.map"))],
    ["no version", () => rm(path.join(folder(), "PG_VERSION"))],
  ])("because of %s is refused with its folder and what to do", async (_damage, damage) => {
    await damage();
    await expect(openIn(dataDir)).rejects.toMatchObject({
      code: "EMBEDDED_DATABASE_UNUSABLE",
      message: expect.stringMatching(
        new RegExp(`^The embedded database in ${folder()} cannot be opened: .+\\. .* restore a backup `),
      ) as string,
    });
  });

  test("because another version made it is refused with the version that opens it", async () => {
    await writeFile(path.join(folder(), "PG_VERSION"), "17\n");
    await expect(openIn(dataDir)).rejects.toThrow(
      /is of PostgreSQL 17, and this version of Spotline runs PostgreSQL 18/,
    );
    await rename(folder(), path.join(dataDir, "pg19"));
    await expect(openIn(dataDir)).rejects.toThrow(/pg19 is of PostgreSQL 19/);
  });

  test("because it is of version 0.2.0 is refused with the command that brings it over", async () => {
    await rename(folder(), path.join(dataDir, "postgres"));
    await expect(openIn(dataDir)).rejects.toThrow(/of Spotline 0\.2\.0 .* -- upgrade$/);
  });
});

describe.runIf(isRoot)("a server that runs as root", () => {
  let home: string;
  let shared: string;
  beforeEach(async () => {
    home = createOpenFolder(path.join(os.tmpdir(), "spotline-home-"));
    shared = createOpenFolder(path.join(os.tmpdir(), "spotline-shared-"));
    chmodSync(shared, 0o755);
    chmodSync(home, 0o700);
  });
  afterEach(async () => {
    for (const each of [home, shared]) await rm(each, { recursive: true, force: true, maxRetries: 10 });
  });

  test("runs the database as another account, which owns the folder", async () => {
    const db = await openIn(dataDir);
    const { uid } = statSync(path.join(dataDir, DATABASE_FOLDER));
    expect(uid).not.toBe(0);
    expect(readFileSync(`/proc/${readPid()}/status`, "utf8")).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s`, "m"));
    expect(readFileSync(`/proc/${readPid()}/environ`, "utf8")).not.toMatch(/SPOTLINE_/);
    await db.close();
  });

  test("puts the database elsewhere where that account cannot reach the folder, and finds it after a move", async () => {
    const hidden = path.join(home, "data");
    await mkdir(hidden, { mode: 0o700 });
    await rename(path.join(dataDir, DATABASE_FOLDER), path.join(hidden, DATABASE_FOLDER));
    const { folder } = await preparePlace(hidden, silentLog, shared);
    expect(folder.startsWith(`${shared}/databases/`)).toBe(true);
    expect(await readFile(path.join(folder, "PG_VERSION"), "utf8")).toBe("18\n");
    expect(existsSync(path.join(hidden, DATABASE_FOLDER))).toBe(false);
    const moved = path.join(home, "moved");
    await rename(hidden, moved);
    expect(await preparePlace(moved, silentLog, shared)).toMatchObject({ folder });
    expect(await listAbandoned(shared)).toEqual([]);
    const copy = path.join(home, "copy");
    await cp(moved, copy, { recursive: true });
    await expect(preparePlace(copy, silentLog, shared)).rejects.toThrow(/is a copy of .*moved, whose database is in/);
    const db = await openIn(moved);
    expect(await db.prisma.accessRevision.count()).toBe(1);
    await db.close();
    await rm(path.join(moved, PLACE_FILE));
    expect(await listAbandoned(shared)).toEqual([path.dirname(folder)]);
  });
});
