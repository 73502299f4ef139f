import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeQuantile, createKeyedCaller } from "@/e2e/process/keyed-caller";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { bundle } from "@/lib/platform/testing/bundle";

/** A venue that sends a hundred times its usual prices, beside a caller with a key. */

const USUAL_A_SECOND = 100;
const BURST_A_SECOND = 100 * USUAL_A_SECOND;
const [ROUNDS, ROUND_MS] = [3, 2_000];
/** A quiet p99 can be so short that three times of it is what a busy machine adds by itself. */
const ALWAYS_ENOUGH_MS = 15;

const folder = mkdtempSync(join(tmpdir(), "spotline-burst-"));
let venue: ChildProcess;
let server: Spotline;

/** Resolves with how many prices the venue has sent so far. */
async function sendPerSecond(rate: number): Promise<number> {
  venue.stdin?.write(`${rate}\n`);
  const [printed] = (await once(venue.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return Number(String(printed));
}

beforeAll(async () => {
  const { file } = await bundle("e2e/process/burst-venue.ts");
  venue = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = (await once(venue.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const config = join(folder, "spotline.config.ts");
  writeFileSync(
    config,
    `import { defineSpotline } from "spotline";
     export default defineSpotline({ sources: [{ kind: "tradermade", symbols: ["EURUSD"], url: "${String(url).trim()}" }] });`,
  );
  await sendPerSecond(USUAL_A_SECOND);
  server = await startTestServer({
    env: { ...WITHOUT_PAGES, SPOTLINE_CONFIG: config, SPOTLINE_TRADERMADE_TOKEN: "a key" },
  });
});

afterAll(async () => {
  venue.kill();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("A hundred times the usual prices do not triple the time of a quote, and none is lost", async () => {
  const caller = await createKeyedCaller(server);
  const [quiet, burst]: [number[], number[]] = [[], []];
  const countAccepted = async () => {
    const { sources } = await server.cli<{ sources: { accepted: number }[] }>("sources", "list");
    return sources[0]?.accepted ?? 0;
  };
  try {
    await expect.poll(() => caller.call(), { timeout: 10_000 }).toBe(200);
    for (let round = 0; round < ROUNDS; round++) {
      await sendPerSecond(USUAL_A_SECOND);
      quiet.push(...(await caller.measure(ROUND_MS)));
      await sendPerSecond(BURST_A_SECOND);
      burst.push(...(await caller.measure(ROUND_MS)));
    }
    await sendPerSecond(0);
    // What was on its way has arrived after the venue's next step.
    const sent = await sendPerSecond(0);
    await expect.poll(countAccepted, { timeout: 10_000, interval: 500 }).toBe(sent);
    expect(sent).toBeGreaterThan(BURST_A_SECOND);
  } finally {
    caller.close();
  }
  const limit = Math.max(3 * computeQuantile(quiet, 0.99), ALWAYS_ENOUGH_MS);
  expect(computeQuantile(burst, 0.99)).toBeLessThan(limit);
});
