import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  claimDataFolder,
  type DataFolder,
  type DataFolderInUse,
  ownIdentity,
  type ProcessIdentity,
} from "./data-folder";

describe("the data folder", () => {
  let parent: string;
  let dataDir: string;
  beforeEach(async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), "spotline-folder-"));
    dataDir = path.join(parent, "data");
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const leaveClaim = async (owner: ProcessIdentity) => {
    const folder = await claimDataFolder(dataDir, "server");
    await folder.release();
    const file = path.join(dataDir, "lock.5");
    await writeFile(file, JSON.stringify({ owner, role: "server", socketDir: dataDir }));
    // A file system gets its times from the machine, whose clock can differ from a shifted one.
    await utimes(file, new Date(), new Date());
  };

  test("is created with access for its owner only", async () => {
    const folder = await claimDataFolder(dataDir, "server");
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await folder.release();
  });

  test("is created with the folders above it", async () => {
    dataDir = path.join(parent, "deep", "down");
    await (await claimDataFolder(dataDir, "server")).release();
    expect((await stat(dataDir)).isDirectory()).toBe(true);
  });

  test("is refused with the name of its setting where there can be no folder", async () => {
    await writeFile(dataDir, "");
    const refuse = (folder: string, reason: string) =>
      expect(claimDataFolder(folder, "server")).rejects.toThrow(`The data folder ${folder} cannot be used: ${reason}`);
    await refuse(dataDir, "it is a file. Set SPOTLINE_DATA_DIR to another.");
    await refuse(path.join(dataDir, "below"), "ENOTDIR");
    if (process.platform === "linux") await refuse("/proc/spotline", "ENOENT");
  });

  test("is refused to a second server with a clear message", async () => {
    const folder = await claimDataFolder(dataDir, "server");
    await expect(claimDataFolder(dataDir, "server")).rejects.toMatchObject({
      code: "DATA_FOLDER_IN_USE",
      message: `The data folder ${dataDir} is in use by another server (process ${process.pid}): stop it first, or choose another folder.`,
    });
    await folder.release();
    await folder.release();
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is taken over from a process that has ended", async () => {
    await leaveClaim({ ...ownIdentity(), pid: 2 ** 22 + 1 });
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is left to a running process whose start is unknown until its heartbeat stops", async () => {
    await leaveClaim({ ...ownIdentity(), started: "unknown" });
    await expect(claimDataFolder(dataDir, "server")).rejects.toMatchObject({ code: "DATA_FOLDER_IN_USE" });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path.join(dataDir, "lock.5"), longAgo, longAgo);
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is taken over from a process that has ended and whose start is unknown", async () => {
    await leaveClaim({ ...ownIdentity(), started: "unknown", pid: 2 ** 22 + 1 });
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is taken over when another process has the ended one's number", async () => {
    await leaveClaim({ ...ownIdentity(), started: "1" });
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is left to an owner in another namespace until its heartbeat stops", async () => {
    await leaveClaim({ ...ownIdentity(), namespace: "another container" });
    await expect(claimDataFolder(dataDir, "server")).rejects.toMatchObject({ code: "DATA_FOLDER_IN_USE" });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path.join(dataDir, "lock.5"), longAgo, longAgo);
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is taken over when a power cut left an incomplete claim", async () => {
    await leaveClaim(ownIdentity());
    await writeFile(path.join(dataDir, "lock.5"), "");
    await (await claimDataFolder(dataDir, "server")).release();
  });

  test("is claimed by exactly one of many processes that find it free or stale at once", async () => {
    for (let round = 0; round < 15; round += 1) {
      if (round % 2 === 1) await leaveClaim({ ...ownIdentity(), started: "1" });
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => claimDataFolder(dataDir, "server")));
      const winners = outcomes.flatMap((entry) => (entry.status === "fulfilled" ? [entry.value] : []));
      const losers = outcomes.flatMap((entry) =>
        entry.status === "rejected" ? [entry.reason as DataFolderInUse] : [],
      );
      expect(winners).toHaveLength(1);
      expect(new Set(losers.map((entry) => entry.code))).toEqual(new Set(["DATA_FOLDER_IN_USE"]));
      await winners[0]?.release();
      await rm(dataDir, { recursive: true });
    }
  });

  test("is claimed by one command after another, never by two at a time", async () => {
    let inside = 0;
    const visit = async () => {
      const folder: DataFolder = await claimDataFolder(dataDir, "command");
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      await folder.release();
    };
    await Promise.all(Array.from({ length: 8 }, visit));
    expect((await readdir(dataDir)).filter((name) => name.startsWith("lock."))).toEqual(["lock.8"]);
    expect((await readdir(dataDir)).filter((name) => name.startsWith(".claim"))).toEqual([]);
  });
});
