import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/e2e/process/own-key";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { openVenue, type Venue, type VenueOptions } from "@/e2e/venues/kit/open-venue";
import { TEST_CERTIFICATE } from "@/e2e/venues/kit/test-certificate";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import { KIND_NAMES } from "@/lib/feeds/kinds";

/** A whole server with a source of every kind that connects to a venue, configured as an operator does it. */

interface Walk {
  /** What the operator writes in spotline.config.ts beside kind and address. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the operator writes in the environment. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly scenario?: string;
  readonly path?: string;
  readonly options?: Partial<VenueOptions>;
}

const WALKS: Readonly<Record<string, Walk>> = {
  binance: { settings: { symbols: ["BTCUSDT"], aliases: { BTCUSDT: "BTCUSD" } }, path: "/stream" },
  coinbase: { settings: { symbols: ["BTC-USD", "ETH-USD"] } },
  deriv: { settings: { symbols: ["frxEURUSD", "frxXAUUSD"] } },
  kraken: { settings: { symbols: ["BTC/USD", "ETH/USD"] } },
  massive: { settings: { symbols: ["EUR/USD", "XAU/USD"] }, secrets: { MASSIVE_TOKEN: "massive-secret-61" } },
  oanda: {
    settings: { symbols: ["EUR_USD", "XAU_USD"] },
    secrets: { OANDA_TOKEN: "test-token", OANDA_ACCOUNT: "101-001-1-001" },
  },
  tiingo: { settings: { symbols: ["eurusd"] }, secrets: { TIINGO_TOKEN: "tiingo-secret-62" } },
  tradermade: { settings: { symbols: ["EURUSD"] }, secrets: { TRADERMADE_TOKEN: "tradermade-secret-63" } },
  "twelve-data": {
    settings: { symbols: ["EUR/USD", "XAU/USD"] },
    secrets: { TWELVE_DATA_TOKEN: "twelve-data-secret-64" },
    path: "/v1/quotes/price",
  },
  ctrader: {
    settings: { symbols: ["EURUSD", "XAUUSD"] },
    secrets: {
      CTRADER_CLIENT_ID: "client-65",
      CTRADER_CLIENT_SECRET: "client-secret-66",
      CTRADER_ACCESS_TOKEN: "access-token-67",
      CTRADER_REFRESH_TOKEN: "refresh-token-68",
      CTRADER_ACCOUNT: "712345",
    },
    options: { transport: "websocket" },
  },
  fix: {
    settings: { profile: "lmax", symbols: ["4001"], aliases: { "4001": "EURUSD" } },
    secrets: { FIX_USER: "fix-user-69", FIX_PASSWORD: "fix-secret-70" },
    scenario: "fix-lmax",
  },
};

const folder = mkdtempSync(join(tmpdir(), "spotline-venues-"));
const venues: Venue[] = [];
let server: Spotline;
let startedAtMs: number;

async function openVenues(): Promise<string[]> {
  const sources: string[] = [];
  for (const [kind, { settings, scenario = kind, path = "", options }] of Object.entries(WALKS)) {
    // A pause of the scenarios becomes one of seconds, so that prices come for half a minute.
    const venue = await openVenue({ scenario: readVenueFile(scenario), name: "prices", timeScale: 20, ...options });
    venues.push(venue);
    const address =
      kind === "fix" ? { host: "localhost", port: Number(/\d+$/.exec(venue.url)) } : { url: `${venue.url}${path}` };
    sources.push(JSON.stringify({ kind, ...address, ...settings }));
  }
  return sources;
}

beforeAll(async () => {
  const sources = await openVenues();
  const config = join(folder, "spotline.config.ts");
  writeFileSync(
    config,
    `import { defineSpotline } from "spotline";\nexport default defineSpotline({ sources: [${sources.join(",\n")}] });\n`,
  );
  const certificate = join(folder, "venue.pem");
  writeFileSync(certificate, TEST_CERTIFICATE);
  const secrets = Object.values(WALKS).flatMap(({ secrets = {} }) => Object.entries(secrets));
  startedAtMs = performance.now();
  server = await startTestServer({
    env: {
      ...WITHOUT_PAGES,
      SPOTLINE_CONFIG: config,
      NODE_EXTRA_CA_CERTS: certificate,
      ...Object.fromEntries(secrets.map(([name, value]) => [`SPOTLINE_${name}`, value])),
    },
  });
});

afterAll(async () => {
  await server.stop();
  await Promise.all(venues.map((venue) => venue.close()));
  rmSync(folder, { recursive: true, force: true });
});

test("walks through every kind of source that connects to a venue", () => {
  const own = ["simulated", "replay", "mt5"];
  expect(Object.keys(WALKS).sort()).toEqual(KIND_NAMES.filter((kind) => !own.includes(kind)).sort());
});

test("has live prices of every venue within a minute of its start", async () => {
  interface Source {
    readonly source: string;
    readonly mode: string;
    readonly connection: string;
    readonly last_tick_at: string | null;
  }
  const readSources = async () => (await server.cli<{ sources: Source[] }>("sources", "list")).sources;
  const listSilent = async () => (await readSources()).filter((each) => each.last_tick_at === null);
  // Each attempt starts a command.
  await expect.poll(listSilent, { timeout: 50_000, interval: 2_000 }).toEqual([]);
  expect(performance.now() - startedAtMs).toBeLessThan(60_000);
  const sources = await readSources();
  expect(sources.map(({ source }) => source)).toEqual(Object.keys(WALKS));
  expect(new Set(sources.map(({ mode }) => mode))).toEqual(new Set(["live"]));
});

test("serves a price of a venue to a key, with its source and its mode", async () => {
  const key = await createKey(server);
  for (const [symbol, least, most] of [
    ["EURUSD", 1.05, 1.2],
    ["BTCUSD", 65_000, 66_000],
  ] as const) {
    const answer = await fetch(`${server.url}/v1/quote?symbol=${symbol}`, { headers: { "X-API-Key": key } });
    const { data } = (await answer.json()) as { data: { source: string; bid: number } };
    expect(Object.keys(WALKS)).toContain(data.source);
    // The header names only the modes of prices that are not live.
    expect(answer.headers.get("x-data-mode")).toBeNull();
    expect(data.bid).toBeGreaterThan(least);
    expect(data.bid).toBeLessThan(most);
  }
});

test("writes no credentials to its log or its data", async () => {
  const secrets = Object.values(WALKS).flatMap(({ secrets = {} }) => Object.values(secrets));
  const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const own = files.filter((file) => file.isFile() && !join(file.parentPath ?? file.path).includes("postgres"));
  const texts = own.map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), "latin1"));
  const leaked = secrets.filter((secret) => [server.output(), ...texts].some((text) => text.includes(secret)));
  expect(leaked).toEqual([]);
});
