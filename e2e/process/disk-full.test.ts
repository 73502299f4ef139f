import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, quote, startFleet } from "@/e2e/process/fleet";
import { createFilledCluster } from "@/e2e/support/filled-cluster";
import { createEmbeddedPlace } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { CLUSTERS_FOLDER } from "@/lib/platform/testing/cluster";
import { isPostgresAvailable } from "@/lib/platform/testing/postgres-server";
import { SECOND_MS } from "@/lib/time/units";

/** A database on a small file system of its own, which another program fills. */

const mount = mkdtempSync(join(CLUSTERS_FOLDER, "spotline-disk-"));
const isMountable = tryMount();
unmount();
if (!isMountable) process.stderr.write("\nSKIPPED: only root on Linux can mount the small disk that is filled.\n");

function tryMount(): boolean {
  mkdirSync(mount, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", mount], { stdio: "ignore" });
    chmodSync(mount, 0o755);
    return true;
  } catch {
    return false;
  }
}

function unmount(): void {
  if (isMountable) execFileSync("umount", ["-l", mount]);
  rmdirSync(mount);
}

/** A database on a disk. */
interface Scene {
  readonly env: Readonly<Record<string, string>>;
  /** Starts the database again if the full disk has ended it, as a supervisor does. */
  restart(): void;
  remove(): void;
}

async function createEmbedded(): Promise<Scene> {
  const { place, remove } = await createEmbeddedPlace();
  cpSync(place.SPOTLINE_DATA_DIR, mount, { recursive: true });
  await remove();
  return { env: { SPOTLINE_DATA_DIR: mount }, restart() {}, remove() {} };
}

async function createPostgres(): Promise<Scene> {
  const cluster = await createFilledCluster(mount);
  const dataDir = mkdtempSync(join(tmpdir(), "spotline-"));
  return {
    env: { DATABASE_URL: cluster.url, SPOTLINE_DATA_DIR: dataDir },
    restart() {
      try {
        cluster.start();
      } catch {
        // It runs already.
      }
    },
    remove() {
      cluster.remove();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const filler = join(mount, "filler");

function fillDisk(): void {
  for (const size of [1_048_576, 4_096]) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}

const SCENES: readonly (readonly [string, () => Promise<Scene>])[] = [
  ["the embedded database", createEmbedded],
  ...(isPostgresAvailable ? [["PostgreSQL", createPostgres] as const] : []),
];

describe.runIf(isMountable).each(SCENES)("A server with %s on a full disk", (kind, createScene) => {
  let scene: Scene;
  let fleet: Fleet;
  let server: Spotline;
  let key = "";
  beforeAll(async () => {
    tryMount();
    scene = await createScene();
    fleet = await startFleet(1, { ...scene.env, ...preferSteadySource() });
    [server] = fleet.servers as [Spotline];
    ({ key } = await createKey(fleet));
  });
  afterAll(async () => {
    rmSync(filler, { force: true });
    await server.stop();
    scene.remove();
    unmount();
  });

  async function readTicks(fromMs: number, toMs: number): Promise<unknown[]> {
    const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
    const response = await fetch(`${server.url}/v1/ticks?symbol=EURUSD&${range}`, { headers: { "X-API-Key": key } });
    const { data } = (await response.json()) as { data?: { ticks: unknown[] } };
    return data?.ticks ?? [];
  }

  const waitForReady = (status: number) =>
    vi.waitFor(
      async () => {
        // What the database has freed meanwhile is filled, too.
        if (status === 503) fillDisk();
        else scene.restart();
        expect((await readReady(server)).status).toBe(status);
      },
      { timeout: 60 * SECOND_MS, interval: 250 },
    );

  /** The embedded database may end when it cannot write, and then starts again once there is space. */
  async function expectAnswerOf(command: readonly string[], expected: RegExp): Promise<void> {
    const answer = await server.cli(...command).then(JSON.stringify, String);
    if (!answer.includes("cannot be reached")) return expect(answer).toMatch(expected);
    expect(server.output()).toContain("the embedded database ended unexpectedly");
  }

  test("says so, answers with live prices, and writes what it received once there is space", async () => {
    rmSync(filler, { force: true });
    await waitForReady(200);
    const startMs = Date.now() - SECOND_MS;
    const readFirst = () => readTicks(startMs, startMs + 8 * SECOND_MS);
    const before = await vi.waitFor(
      async () => {
        expect(Date.now()).toBeGreaterThan(startMs + 11 * SECOND_MS);
        return readFirst();
      },
      { timeout: 20 * SECOND_MS, interval: 250 },
    );
    expect(before).not.toEqual([]);
    fillDisk();
    const fullMs = Date.now();
    await waitForReady(503);
    if (kind === "the embedded database") {
      expect(server.output()).toContain("No space left on device");
      await expectAnswerOf(
        ["backup", join(mount, "backup.tar.gz")],
        /No space is left on the disk\. Free some, then run the command again\./,
      );
      await expectAnswerOf(["account", "list"], /"accounts":/);
    }
    expect((await quote(server, key)).headers.get("x-quote-state")).toBe("live");
    const freedMs = Date.now();
    rmSync(filler);
    await waitForReady(200);
    expect(await readFirst()).toEqual(before);
    // When New York closes, only every other second has a tick.
    const seconds = (freedMs - fullMs) / SECOND_MS;
    await vi.waitFor(async () => expect((await readTicks(fullMs, freedMs)).length).toBeGreaterThan(seconds / 4), {
      timeout: 30 * SECOND_MS,
    });
  });
});
