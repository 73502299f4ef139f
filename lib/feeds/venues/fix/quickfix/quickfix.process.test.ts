import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import { createFixFeed } from "@/lib/feeds/venues/fix/fix-feed";
import { silentLog } from "@/lib/platform/log/log";
import { SECOND_MS } from "@/lib/time/units";

/** The client against a venue with the engine of the QuickFIX project, over TCP. */

const SOURCE = "lib/feeds/venues/fix/quickfix/quickfix-venue.cpp";
const DICTIONARY = "lib/feeds/venues/fix/quickfix/fix44-prices.xml";
const HEADERS = "/usr/include/quickfix/Session.h";
const isInstalled = existsSync(HEADERS);
if (!isInstalled) {
  process.stderr.write(`\n*** SKIPPED: no ${HEADERS} (Debian: apt-get install g++ libquickfix-dev) ***\n\n`);
}

const PATIENCE = { timeout: 30 * SECOND_MS, interval: 20 };
let dir = "";

beforeAll(() => {
  if (!isInstalled) return;
  dir = mkdtempSync(join(tmpdir(), "spotline-quickfix-"));
  const libraries = ["-lquickfix", "-lpthread"];
  execFileSync("g++", ["-std=c++11", "-w", SOURCE, "-o", join(dir, "venue"), ...libraries], { stdio: "inherit" });
});
afterAll(() => {
  if (dir !== "") rmSync(dir, { recursive: true });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the venue. `events` grows with what it reports. */
async function openVenue() {
  const port = await findFreePort();
  const venue = spawn(join(dir, "venue"), [String(port), DICTIONARY], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(venue, "exit");
  const events: string[] = [];
  createInterface({ input: venue.stdout }).on("line", (line) => events.push(line));
  onTestFinished(async () => {
    venue.kill();
    await exited;
  });
  await expect.poll(() => events, PATIENCE).toContain("ready");
  return { port, events, command: (line: string) => void venue.stdin.write(`${line}\n`) };
}

/** Passes bytes on between client and venue. `damage` changes a byte of the next snapshot. */
async function openProxy(port: number) {
  let isDamaging = false;
  const server = createServer((client) => {
    const venue = connect({ host: "127.0.0.1", port });
    for (const socket of [client, venue]) socket.on("error", () => {});
    client.on("data", (bytes) => venue.write(bytes));
    client.on("close", () => venue.destroy());
    venue.on("close", () => client.destroy());
    venue.on("data", (bytes) => {
      const at = isDamaging ? bytes.indexOf("\x01270=") : -1;
      if (at !== -1) {
        bytes[at + 5] = "9".charCodeAt(0);
        isDamaging = false;
      }
      client.write(bytes);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, damage: () => void (isDamaging = true) };
}

async function start(port: number, { heartbeatSeconds = 30, password = "secret" } = {}) {
  const { sink, ticks, statuses } = collect(0);
  const feed = createFixFeed({
    ...{ name: "fix", now: Date.now, monotonic: () => performance.now(), random: () => 0, recorder: null },
    settings: {
      ...{ profile: "generic", host: "127.0.0.1", port, tls: false, heartbeatSeconds },
      ...{ senderCompId: "SPOTLINE", targetCompId: "VENUE" },
    },
    ...{ user: "demo", password, symbols: ["EUR/USD", "GBP/USD"], log: silentLog },
    times: { silenceMs: 20 * SECOND_MS, retryMs: 100, maxRetryMs: 500 },
  });
  onTestFinished(() => feed.stop());
  await feed.start(sink);
  return { feed, ticks, statuses };
}

describe.skipIf(!isInstalled)("a venue with QuickFIX", () => {
  test("is logged on to, sends prices with its own time, gets heartbeats and a Logout", async () => {
    const { port, events, command } = await openVenue();
    const { feed, ticks, statuses } = await start(port, { heartbeatSeconds: 1 });
    await expect.poll(() => events, PATIENCE).toContain("subscribed GBP/USD");
    command("price 1.1 1.2");
    await expect.poll(() => ticks.length, PATIENCE).toBe(2);
    expect(ticks.map(({ brokerSymbol, bid, ask }) => [brokerSymbol, bid, ask])).toEqual([
      ["EUR/USD", 1.1, 1.2],
      ["GBP/USD", 1.1, 1.2],
    ]);
    for (const { brokerTimeMs, receivedAtMs } of ticks) {
      // Its times are in whole seconds.
      expect(Math.abs(receivedAtMs - brokerTimeMs)).toBeLessThan(10 * SECOND_MS);
    }
    await expect.poll(() => events.filter((event) => event === "received 0").length, PATIENCE).toBeGreaterThan(1);
    await feed.stop();
    await expect.poll(() => events, PATIENCE).toContain("received 5");
    expect(statuses).toEqual(["fix connected undefined"]);
    expect(events).not.toContain("received 3");
  });

  test("sends a damaged message again, and the prices come in order", async () => {
    const { port, events, command } = await openVenue();
    const proxy = await openProxy(port);
    const { ticks } = await start(proxy.port);
    await expect.poll(() => events, PATIENCE).toContain("subscribed GBP/USD");
    proxy.damage();
    command("price 1.1 1.2");
    await expect.poll(() => ticks.length, PATIENCE).toBe(2);
    await expect.poll(() => events, PATIENCE).toContain("received 2");
    command("price 1.3 1.4");
    await expect.poll(() => ticks.length, PATIENCE).toBe(4);
    const prices = ticks.map(({ brokerSymbol, bid }) => `${brokerSymbol} ${bid}`);
    expect(prices).toEqual(["EUR/USD 1.1", "GBP/USD 1.1", "EUR/USD 1.3", "GBP/USD 1.3"]);
  });

  test("fills a gap of messages that never were", async () => {
    const { port, events, command } = await openVenue();
    const { ticks, statuses } = await start(port);
    await expect.poll(() => events, PATIENCE).toContain("subscribed GBP/USD");
    command("skip");
    command("price 1.1 1.2");
    await expect.poll(() => ticks.length, PATIENCE).toBe(2);
    command("price 1.3 1.4");
    await expect.poll(() => ticks.length, PATIENCE).toBe(4);
    expect(statuses).toEqual(["fix connected undefined"]);
    await expect.poll(() => events, PATIENCE).toContain("received 2");
  });

  test("logs out with a reason, and the feed connects again", async () => {
    const { port, events, command } = await openVenue();
    const { statuses } = await start(port);
    await expect.poll(() => events, PATIENCE).toContain("subscribed GBP/USD");
    command("logout end of day");
    await expect.poll(() => statuses.join(), PATIENCE).toContain("the venue logged out: end of day");
    await expect.poll(() => events, PATIENCE).toContain("received 5");
  });

  test("refuses a wrong password, and the feed ends", async () => {
    const { port } = await openVenue();
    const { statuses } = await start(port, { password: "wrong" });
    await expect.poll(() => statuses.join(), PATIENCE).toContain("fix ended the venue refused the logon");
    expect(statuses.join()).toContain("Invalid username or password");
  });
});
