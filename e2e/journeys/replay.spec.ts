import { join } from "node:path";
import { expect, signUp, test } from "@/e2e/journeys/fixtures";
import { startTestServer } from "@/e2e/support/test-server";
import { findRealData } from "@/lib/feeds/real-data.fixture";

/**
 * Two brokers' EURUSD around the US payrolls of 2 May 2014, a minute of theirs in a second of ours. Second by second the
 * recordings are within a pip of each other 98 % of that quarter of an hour, and up to four apart at the release: fewer
 * samples, or fewer minutes, would be mostly about the release.
 */
const SAMPLES = 200;
const SAMPLE_EVERY_MS = 75;
const PIP = 0.0001;

interface QuoteReply {
  readonly data: {
    readonly sources: readonly { readonly broker: string; readonly bid: number; readonly ask: number }[];
  };
}

const realData = findRealData();

test("two real brokers' recordings reach a key made in the dashboard, uncrossed and in step", async ({ browser }) => {
  test.skip(realData === undefined, "no recorded market data: set SPOTLINE_REAL_DATA");
  const recording = await startTestServer({
    env: {
      SPOTLINE_FEED: "replay",
      SPOTLINE_REPLAY_DIR: join(realData ?? "", "ticks/lean/Data"),
      SPOTLINE_REPLAY_ZONES: "fxcm=Etc/GMT+5",
      SPOTLINE_REPLAY_FROM: "2014-05-02T12:25:00Z",
      SPOTLINE_REPLAY_SPEED: "60",
    },
  });
  const email = "recorded@example.com";
  const page = await signUp(browser, recording.url, email);
  await expect(page.getByRole("button", { name: "Replay data" })).toBeVisible();
  await recording.cli("account", "set-limits", "--email", email, "--per-minute", "none");
  await page.goto("/keys/new");
  await page.getByLabel("Label").fill("Sampler");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.locator("#secret").innerText();
  await page.context().close();

  const apart: number[] = [];
  const brokers = new Set<string>();
  await expect(async () => {
    const response = await fetch(`${recording.url}/v1/quote?symbol=EURUSD&include_sources=true`, {
      headers: { "X-API-Key": key },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-data-mode")).toBe("replay");
    const { sources } = ((await response.json()) as QuoteReply).data;
    const mids = new Map(sources.map(({ broker, bid, ask }) => [broker, (bid + ask) / 2]));
    for (const { broker, bid, ask } of sources) {
      brokers.add(broker);
      expect(bid, `${broker} is crossed`).toBeLessThanOrEqual(ask);
    }
    const [fxcm, oanda] = [mids.get("fxcm"), mids.get("oanda")];
    if (fxcm !== undefined && oanda !== undefined) apart.push(Math.abs(fxcm - oanda) / PIP);
    expect(apart.length).toBeGreaterThanOrEqual(SAMPLES);
  }).toPass({ intervals: [SAMPLE_EVERY_MS], timeout: 40_000 });

  expect([...brokers].sort()).toEqual(["fxcm", "oanda"]);
  // Two brokers need not tick in the same instant of a news spike, so a few samples may be further apart.
  apart.sort((a, b) => a - b);
  expect(apart[Math.floor(apart.length * 0.5)], "median pips apart").toBeLessThan(1);
  expect(apart[Math.floor(apart.length * 0.95)], "pips apart, 95 % of samples").toBeLessThanOrEqual(1);

  expect(await recording.stop()).toBe(0);
  const refused = refusedCrossed(recording.output());
  expect(refused.fxcm).toBeGreaterThan(0);
  expect(refused.oanda).toBe(0);
});

/** What the process says at its end: crossed ticks refused, by source. */
function refusedCrossed(log: string): Record<string, number> {
  const line = log.split("\n").findLast((text) => text.includes("ticks accepted and refused so far")) ?? "{}";
  const { feeds = [] } = JSON.parse(line) as { feeds?: { source: string; refused: { crossed: number } }[] };
  return Object.fromEntries(feeds.map(({ source, refused }) => [source, refused.crossed]));
}
