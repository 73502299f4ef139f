import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import { createFolder, runFeed } from "@/e2e/venues/run-feed.fixture";
import { createCtraderFeed, type CtraderOptions } from "@/lib/feeds/venues/ctrader";
import type { SymbolFacts } from "@/lib/market/new-instrument";

const SECRETS = {
  ...{ clientId: "client-51", clientSecret: "client-secret-52", account: "712345" },
  ...{ accessToken: "access-token-53", refreshToken: "refresh-token-54" },
};
const RENEWED = ["access-token-63", "refresh-token-64"];
const PATIENCE = { timeout: 20_000, interval: 5 };
const TIMES = { silenceMs: 5_000, retryMs: 5, maxRetryMs: 20 };

async function play(name: string, options: Partial<CtraderOptions> = {}) {
  const { dataDir = createFolder() } = options;
  const venue = await open({ transport: "websocket", scenario: readVenueFile("ctrader"), name });
  const secrets = [...Object.values(SECRETS)];
  const running = await runFeed(
    (context) =>
      createCtraderFeed({
        ...{ ...context, ...SECRETS, url: venue.url, times: TIMES, dataDir },
        ...{ name: "ctrader", symbols: ["EURUSD"], server: "demo", ...options },
      }),
    { secrets },
  );
  const prices = () => running.quotes.map(({ bid, ask }) => [bid, ask]);
  return { ...running, venue, prices, dataDir };
}

/** Plays a scenario to its end and checks that nothing else was sent. */
async function playWhole(name: string, options: Partial<CtraderOptions> = {}) {
  const played = await play(name, options);
  await played.venue.finished();
  await expect.poll(() => played.statuses, PATIENCE).toContain("connected");
  return played;
}

describe("prices", () => {
  test("are in units of 1/100,000", async () => {
    const { venue, prices } = await playWhole("prices");
    await expect.poll(() => prices()[0], PATIENCE).toEqual([1.09995, 1.10015]);
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test("of one side keep the other side of this connection", async () => {
    const { prices } = await playWhole("one side");
    await expect.poll(prices, PATIENCE).toEqual([
      [1.0999, 1.10015],
      [1.09995, 1.10015],
    ]);
  });

  test("without a time are dropped at first, because they may be of any age", async () => {
    const { prices, ticks } = await playWhole("no timestamp");
    await expect.poll(prices, PATIENCE).toEqual([[1.09997, 1.10015]]);
    expect(ticks[0]?.brokerTimeMs).toBe(ticks[0]?.receivedAtMs);
  });

  test("may have integers as texts", async () => {
    const { prices } = await playWhole("numbers as texts");
    await expect.poll(prices, PATIENCE).toEqual([[1.09995, 1.10015]]);
  });

  test("are of all enabled symbols, if none are listed", async () => {
    const { prices } = await playWhole("two symbols", { symbols: null });
    await expect.poll(() => prices().at(-1), PATIENCE).toEqual([2650.12, 2650.42]);
  });

  test("are also of symbols that the catalog lacks, after what the broker says of them", async () => {
    const { prices, quotes, facts, venue } = await playWhole("more than the catalog", { symbols: null });
    await expect.poll(prices, PATIENCE).toEqual([[14.1235, 14.126]]);
    const { tradingHours, ...said } = facts[0] as SymbolFacts;
    expect(said).toEqual({
      ...{ spelling: "RoughRice", path: "Commodities/Softs", base: "RoughRice", quote: "USD" },
      ...{ digits: 4, pipSize: 0.01, contractSize: 10, minVolume: 1, maxVolume: 1_000, volumeStep: 0.5 },
      // In points: a pip is a hundred of them.
      ...{ swapLong: -71, swapShort: 12 },
    });
    expect(tradingHours).toMatchObject({ zone: "America/New_York", days: { sunday: [] } });
    expect(tradingHours?.days.tuesday).toEqual([{ from: "10:00", to: "16:30" }]);
    expect(quotes[0]?.instrument).toMatchObject({ category: "commodities", quote: "USD", digits: 4 });
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test("come without the details of symbols that cannot be read", async () => {
    const { prices, facts, logged } = await playWhole("lists refused", { symbols: null });
    await expect.poll(() => prices().length, PATIENCE).toBe(1);
    expect(facts).toEqual([{ spelling: "RoughRice", path: "Commodities/Softs", base: "RoughRice", quote: "USD" }]);
    expect(logged.join()).toContain("REQUEST_FREQUENCY_EXCEEDED");
  });

  test("of a closed market keep the time of its close, whatever heartbeats follow", async () => {
    const { quotes } = await playWhole("market closed");
    expect(quotes.map(({ timeMs }) => timeMs)).toEqual([1_603_486_922_692]);
  });

  test("come again after the account was disconnected, on the same connection", async () => {
    const { venue, prices } = await playWhole("account disconnected");
    await expect.poll(() => prices().length, PATIENCE).toBe(2);
    await venue.close();
    expect([venue.connections, venue.violations]).toEqual([1, []]);
  });

  test("come again after silence, maintenance, and bytes that are no messages", async () => {
    const silent = await playWhole("silence", { times: { ...TIMES, silenceMs: 150 } });
    expect(silent.statuses).toContain("disconnected nothing arrived for 150 ms");
    const closed = await playWhole("maintenance");
    expect(closed.statuses[0]).toBe("disconnected SERVER_IS_UNDER_MAINTENANCE: Maintenance");
    await playWhole("garbage");
  });
});

describe("a refusal", () => {
  test("of the application ends the source for good", async () => {
    const { venue, statuses } = await play("wrong secret");
    const reason = "ended CH_CLIENT_AUTH_FAILURE: clientId or clientSecret is incorrect";
    await expect.poll(() => statuses, PATIENCE).toEqual([reason]);
    expect(venue.connections).toBe(1);
  });

  test("for too many requests is followed by the pause that the venue demands", async () => {
    const startedMs = performance.now();
    await playWhole("too many requests");
    expect(performance.now() - startedMs).toBeGreaterThan(950);
  });

  test("of a listed symbol that the account does not have leaves the others", async () => {
    const { logged } = await playWhole("prices", { symbols: ["EURUSD", "OLDUSD"] });
    expect(logged.join()).toContain("not in the account, left out: OLDUSD");
  });
});

describe("tokens", () => {
  const findFile = (dataDir: string) => join(dataDir, "ctrader-ctrader-tokens.json");

  test.each(["token renewed at sign-in", "token renewed while prices come"])(
    "%s: are stored before they are used",
    async (name) => {
      const { venue, dataDir, readTraces, feed, prices } = await playWhole(name);
      await expect.poll(() => prices().length, PATIENCE).toBeGreaterThan(0);
      await feed.stop();
      await venue.close();
      expect(venue.violations).toEqual([]);
      expect(readdirSync(dataDir)).toEqual(["ctrader-ctrader-tokens.json"]);
      expect(statSync(findFile(dataDir)).mode & 0o777).toBe(0o600);
      const traces = await readTraces();
      expect([...Object.values(SECRETS), ...RENEWED].filter((secret) => traces.includes(secret))).toEqual([]);

      // The next start uses them, until the operator sets others.
      const next = await playWhole("prices", { dataDir });
      expect(next.venue.received.map(({ text }) => text).join()).toContain(RENEWED[0]);
      const other = await playWhole("prices", { dataDir, accessToken: "access-73", refreshToken: "refresh-74" });
      expect(other.venue.received.map(({ text }) => text).join()).toContain("access-73");
    },
  );

  test("are refreshed once, and refused ones end the source", async () => {
    const { venue, statuses } = await play("token refused");
    await expect
      .poll(() => statuses.at(-1), PATIENCE)
      .toMatch(/^ended CH_ACCESS_TOKEN_INVALID.*authorise the application again/);
    expect(venue.connections).toBe(1);
  });

  test("are not refreshed where nothing can be stored", async () => {
    const file = join(createFolder(), "no-folder");
    writeFileSync(file, "");
    const { venue, statuses } = await play("token expired", { dataDir: file });
    await expect
      .poll(() => statuses, PATIENCE)
      .toContainEqual(expect.stringMatching(/disconnected .*(EEXIST|ENOTDIR)/));
    expect(venue.received.map(({ text }) => text).join()).not.toContain("refresh-token");
  });

  test("that are damaged on the disk are replaced by those of the settings", async () => {
    const { dataDir } = await playWhole("token renewed at sign-in");
    const file = findFile(dataDir);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.slice(0, 40));
    const { venue } = await playWhole("prices", { dataDir });
    expect(venue.received.map((message) => message.text).join()).toContain(SECRETS.accessToken);
  });
});
