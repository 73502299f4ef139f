import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, quote, startFleet } from "@/e2e/process/fleet";
import { createEmbeddedPlace } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { SECOND_MS } from "@/lib/time/units";

/** A database on a small file system of its own, which another program fills. */

const mount = mkdtempSync(join("/tmp", "spotline-disk-"));
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

describe.runIf(isMountable)("A server whose disk is full", () => {
  let fleet: Fleet;
  let server: Spotline;
  let key = "";
  beforeAll(async () => {
    tryMount();
    const { place, remove } = await createEmbeddedPlace();
    cpSync(place.SPOTLINE_DATA_DIR, mount, { recursive: true });
    await remove();
    fleet = await startFleet(1, { SPOTLINE_DATA_DIR: mount, ...preferSteadySource() });
    [server] = fleet.servers as [Spotline];
    ({ key } = await createKey(fleet));
  });
  afterAll(async () => {
    rmSync(filler, { force: true });
    await server.stop();
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
        expect((await readReady(server)).status).toBe(status);
      },
      { timeout: 60 * SECOND_MS, interval: 250 },
    );

  /** The database may end when it cannot write, and then starts again once there is space. */
  async function expectAnswerOf(command: readonly string[], expected: RegExp): Promise<void> {
    const answer = await server.cli(...command).then(JSON.stringify, String);
    if (!answer.includes("cannot be reached")) return expect(answer).toMatch(expected);
    await expectLine("the embedded database ended unexpectedly");
  }

  // A line may arrive after what it tells of.
  const expectLine = (line: string) => expect.poll(() => server.output(), { timeout: 20 * SECOND_MS }).toContain(line);

  test("says so, answers with live prices, and writes what it received once there is space", async () => {
    rmSync(filler, { force: true });
    await waitForReady(200);
    const startMs = Date.now() - SECOND_MS;
    const readFirst = () => readTicks(startMs, startMs + 8 * SECOND_MS);
    // Seconds are written in their order: once a later one is there, these are complete.
    const readLater = () => readTicks(startMs + 9 * SECOND_MS, startMs + 60 * SECOND_MS);
    await expect.poll(readLater, { timeout: 60 * SECOND_MS, interval: 250 }).not.toEqual([]);
    const before = await readFirst();
    expect(before).not.toEqual([]);
    fillDisk();
    const fullMs = Date.now();
    await waitForReady(503);
    await expectLine("No space left on device");
    await expectAnswerOf(
      ["backup", join(mount, "backup.tar.gz")],
      /No space is left on the disk\. Free some, then run the command again\./,
    );
    await expectAnswerOf(["account", "list"], /"accounts":/);
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
