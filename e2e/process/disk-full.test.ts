import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, quote, startFleet } from "@/e2e/process/fleet";
import { createEmbeddedPlace } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { SECOND_MS } from "@/lib/time/units";

/** A server on a small file system of its own, which another program fills. */

const MOUNT_OPTIONS = ["-t", "tmpfs", "-o", "size=400m", "tmpfs"];
const mount = mkdtempSync(join(tmpdir(), "spotline-disk-"));
const isMounted = tryMount();
if (!isMounted) console.warn("SKIPPED: only root on Linux can mount the small disk that is filled.");

function tryMount(): boolean {
  try {
    execFileSync("mount", [...MOUNT_OPTIONS, mount], { stdio: "ignore" });
    return true;
  } catch {
    rmdirSync(mount);
    return false;
  }
}

describe.runIf(isMounted)("A server whose disk is full", () => {
  const filler = join(mount, "filler");
  let fleet: Fleet;
  let server: Spotline;
  let key = "";
  beforeAll(async () => {
    const { place, remove } = await createEmbeddedPlace();
    cpSync(place.SPOTLINE_DATA_DIR, mount, { recursive: true });
    await remove();
    fleet = await startFleet(1, { SPOTLINE_DATA_DIR: mount });
    [server] = fleet.servers as [Spotline];
    ({ key } = await createKey(fleet));
  });
  afterAll(async () => {
    rmSync(filler, { force: true });
    await server.stop();
    execFileSync("umount", ["-l", mount]);
    rmdirSync(mount);
  });

  function fillDisk(): void {
    for (const size of [1_048_576, 4_096]) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    }
  }

  async function readTicks(fromMs: number, toMs: number): Promise<unknown[]> {
    const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
    const response = await fetch(`${server.url}/v1/ticks?symbol=EURUSD&${range}`, { headers: { "X-API-Key": key } });
    const { data } = (await response.json()) as { data?: { ticks: unknown[] } };
    return data?.ticks ?? [];
  }

  const waitForReady = (status: number) =>
    vi.waitFor(
      async () => {
        // What the server has freed meanwhile is filled, too.
        if (status === 503) fillDisk();
        expect((await readReady(server)).status).toBe(status);
      },
      { timeout: 40 * SECOND_MS, interval: 250 },
    );

  test("says so, answers with live prices, and writes what it received once there is space", async () => {
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
    expect(server.output()).toContain("No space left on device");
    expect((await quote(server, key)).headers.get("x-quote-state")).toBe("live");
    const freedMs = Date.now();
    rmSync(filler);
    await waitForReady(200);
    expect(await readFirst()).toEqual(before);
    // When New York closes, only every other second has a tick.
    const seconds = (freedMs - fullMs) / SECOND_MS;
    await vi.waitFor(async () => expect((await readTicks(fullMs, freedMs)).length).toBeGreaterThan(seconds / 4), {
      timeout: 10 * SECOND_MS,
    });
  });
});
