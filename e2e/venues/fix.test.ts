import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PATIENCE, startFixFeed } from "@/e2e/venues/fix.fixture";
import { readValue } from "@/e2e/venues/kit/messages";
import type { VenueOptions } from "@/e2e/venues/kit/open-venue";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import { collect } from "@/lib/feeds/collect.fixture";
import { FeedSet } from "@/lib/feeds/set/feed-set";
import { loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { type FixSettings } from "@/lib/feeds/venues/fix/fix-feed";
import { instruments } from "@/lib/market/catalog";
import { loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { SECOND_MS } from "@/lib/time/units";

/** Plays one scenario to its end. Returns what the feed reported. */
async function play(file: "fix-lmax" | "fix-ctrader", name: string, own: Partial<FixSettings> & VenueOptions = {}) {
  const { timeScale = 0.001, faults, ...settings } = own;
  const venue = await open({ scenario: readVenueFile(file), name, timeScale, faults });
  const isLmax = file === "fix-lmax";
  const symbols = isLmax ? ["4001"] : ["1"];
  if (name === "two symbols") symbols.push(isLmax ? "100637" : "41");
  const started = await startFixFeed(venue, { profile: isLmax ? "lmax" : "ctrader", ...settings }, symbols);
  await venue.finished(30 * SECOND_MS);
  return {
    ...started,
    /** Waits for so many prices, ends everything, and expects that there were no more and no violations. */
    async expectPrices(count: number) {
      await expect.poll(() => started.ticks.length, PATIENCE).toBeGreaterThanOrEqual(count);
      await started.feed.stop();
      await venue.close();
      expect(started.ticks.length, `${venue.connections} connections ${started.problems.join()}`).toBe(count);
      expect(venue.violations).toEqual([]);
    },
  };
}

describe("LMAX over TLS", () => {
  test.each([
    ["prices", 20],
    ["two symbols", 2],
    ["split and joined", 5],
    ["one side", 1],
    ["wrong checksum", 2],
    ["wrong length", 2],
    ["garbage between messages", 2],
    ["sequence gap", 3],
    ["possible duplicate", 2],
    ["sequence reset", 3],
    ["resend request", 1],
    ["clock jump", 3],
    ["cut", 2],
    ["burst", 10_000],
  ])("the scenario %s gives %d prices", async (name, count) => {
    const { expectPrices } = await play("fix-lmax", name);
    await expectPrices(count);
  });

  test("a venue that becomes silent gets a TestRequest, and then loses the connection", async () => {
    const { expectPrices, statuses } = await play("fix-lmax", "no heartbeats", { heartbeatSeconds: 1 });
    await expectPrices(2);
    expect(statuses).toContain("fix disconnected the venue did not answer a TestRequest");
  });

  test("a number that was used before ends the connection with a Logout", async () => {
    const { statuses } = await play("fix-lmax", "sequence too low");
    await expect
      .poll(() => statuses, PATIENCE)
      .toContain("fix disconnected MsgSeqNum too low, expecting 3 but received 1");
  });

  test("a refused symbol is reported, and without any other the feed connects again", async () => {
    const { statuses, problems } = await play("fix-lmax", "unknown symbol");
    await expect
      .poll(() => statuses, PATIENCE)
      .toContain("fix disconnected the venue refused every request: UNKNOWN_SYMBOL");
    expect(problems[0]).toContain("4001: UNKNOWN_SYMBOL");
    const refused = await play("fix-lmax", "refused request");
    await expect.poll(() => refused.problems.length, PATIENCE).toBeGreaterThanOrEqual(4);
    expect(refused.ticks).toEqual([]);
  });

  test("the feed logs out when it stops", async () => {
    const venue = await open({ scenario: readVenueFile("fix-lmax"), name: "prices", timeScale: 0.001 });
    const { feed, ticks } = await startFixFeed(venue, { profile: "lmax" }, ["4001"]);
    await expect.poll(() => ticks.length, PATIENCE).toBe(20);
    await feed.stop();
    await expect.poll(() => readValue(venue.received.at(-1)!.message, "35"), PATIENCE).toBe("5");
  });

  test("a wrong password ends the feed for good", async () => {
    const { statuses } = await play("fix-lmax", "wrong password");
    await expect
      .poll(() => statuses, PATIENCE)
      .toEqual(["fix ended the venue refused the logon: Invalid username or password"]);
  });
});

describe("cTrader over TLS, whose snapshots have no time, so that the first of a connection is left out", () => {
  test.each([
    ["prices", 19],
    ["two symbols", 0],
    ["split and joined", 4],
    ["depth", 2],
    ["market closed", 0],
    ["one side", 1],
  ])("the scenario %s gives %d prices", async (name, count) => {
    const { expectPrices } = await play("fix-ctrader", name);
    await expectPrices(count);
  });

  test("the feed connects again after maintenance", async () => {
    const { statuses, expectPrices } = await play("fix-ctrader", "maintenance");
    await expectPrices(0);
    expect(statuses).toContain("fix disconnected the venue logged out: Server is shutting down");
  });

  test.each([
    ["missing session", "the venue refused the logon: TargetSubID is not assigned"],
    ["wrong password", "the venue refused the logon: RET_INVALID_DATA"],
  ])("%s ends the feed for good", async (name, reason) => {
    const { statuses } = await play("fix-ctrader", name);
    await expect.poll(() => statuses, PATIENCE).toEqual([`fix ended ${reason}`]);
  });
});

test("A source of the file of settings signs in with the secrets of the environment", async () => {
  const transport = "tcp";
  const venue = await open({ transport, scenario: readVenueFile("fix-lmax"), name: "two symbols", timeScale: 0.001 });
  const dir = mkdtempSync(join(tmpdir(), "spotline-fix-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, "spotline.config.json");
  const port = Number(new URL(venue.url).port);
  const address = { host: "127.0.0.1", port, tls: false };
  const aliases = { "4001": "EURUSD", "100637": "XAUUSD" };
  const entry = { kind: "fix", name: "lp", profile: "lmax", ...address, symbols: Object.keys(aliases), aliases };
  writeFileSync(file, JSON.stringify({ sources: [entry] }));
  const env = { SPOTLINE_CONFIG: file, SPOTLINE_LP_USER: "demo", SPOTLINE_FIX_PASSWORD: "secret" };
  const settings = await loadFeedSettings(loadConfig(env), env);
  const { sink, ticks } = collect(0);
  const set = new FeedSet(settings, {
    ...{ now: Date.now, monotonic: () => performance.now(), instruments, storedUntilMs: null, log: silentLog },
    ...{ dataDir: dir, recorder: null },
    ...{ sink, onChange: () => {} },
  });
  onTestFinished(() => set.stop());
  await set.start();
  await expect.poll(() => ticks.map(({ source }) => source), PATIENCE).toEqual(["lp", "lp"]);
  expect(settings.feeds[0]?.aliases).toEqual(aliases);
  const [logon] = venue.received.map(({ message }) => message);
  expect(["49", "553", "554"].map((tag) => logon && readValue(logon, tag))).toEqual(["demo", "demo", "secret"]);
});
