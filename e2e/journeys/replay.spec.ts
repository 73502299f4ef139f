import { join } from "node:path";
import { createKey, withAccount } from "@/e2e/journeys/accounts";
import { createAccount, expect, test } from "@/e2e/journeys/fixtures";
import { startTestServer } from "@/e2e/support/test-server";
import { NO_LIMIT } from "@/lib/access/plans";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { createTestPlace } from "@/lib/platform/testing/databases";

/**
 * EURUSD of two brokers around the US payrolls of 2 May 2014, replayed at 60 times the speed. In 98 % of the seconds of
 * that quarter of an hour the recordings differ by at most a pip, and by up to four at the release. With fewer samples
 * or minutes, the release would dominate.
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

test("Recordings of two real brokers are served to a key without crossed quotes and close to each other", async ({
  context,
}) => {
  // Another journey may keep both cores busy.
  test.setTimeout(150_000);
  test.skip(realData === undefined, "no recorded market data: set SPOTLINE_REAL_DATA");
  const { dataDir, databaseUrl, remove } = await createTestPlace();
  const recording = await startTestServer({
    dataDir,
    env: {
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      SPOTLINE_FEED: "replay",
      SPOTLINE_REPLAY_DIR: join(realData ?? "", "ticks/lean/Data"),
      SPOTLINE_REPLAY_ZONES: "fxcm=Etc/GMT+5",
      SPOTLINE_REPLAY_FROM: "2014-05-02T12:25:00Z",
      SPOTLINE_REPLAY_SPEED: "60",
      SPOTLINE_REPLAY_TIME: "own",
    },
  });
  const email = "recorded@example.com";
  const page = await createAccount(context, recording, email);
  await page.goto(`${recording.url}/quotes`);
  await expect(page.getByRole("button", { name: "Replay data" })).toBeVisible();
  await withAccount(recording, email, ({ accounts }, id) => accounts.setLimits(id, { perMinute: NO_LIMIT }));
  await page.close();
  const { secret: key } = await createKey(recording, email, "Sampler");

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
  }).toPass({ intervals: [SAMPLE_EVERY_MS], timeout: 90_000 });

  expect([...brokers].sort()).toEqual(["fxcm", "oanda"]);
  // Two brokers do not tick at the same time in a news spike, so a few samples may differ more.
  apart.sort((a, b) => a - b);
  expect(apart[Math.floor(apart.length * 0.5)], "median pips apart").toBeLessThan(1);
  expect(apart[Math.floor(apart.length * 0.95)], "pips apart, 95 % of samples").toBeLessThanOrEqual(1);

  expect(await recording.stop()).toBe(0);
  await remove();
  const refused = readRefusedCrossed(recording.output());
  expect(refused.fxcm).toBeGreaterThan(0);
  expect(refused.oanda).toBe(0);
});

/** Reads the number of refused crossed ticks by source from the last log line of the process. */
function readRefusedCrossed(log: string): Record<string, number> {
  const line = log.split("\n").findLast((text) => text.includes("ticks accepted and refused so far")) ?? "{}";
  const { feeds = [] } = JSON.parse(line) as { feeds?: { source: string; refused: { crossed: number } }[] };
  return Object.fromEntries(feeds.map(({ source, refused }) => [source, refused.crossed]));
}
