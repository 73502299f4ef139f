import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "pg";
import { expect, vi } from "vitest";
import { makeCalls, sendCall, type SentCall } from "@/e2e/examples/calls";
import { listChildren } from "@/e2e/process/api-process-scene";
import { startCutter } from "@/e2e/process/connection-cutter";
import { withAccess } from "@/e2e/support/access";
import { type EventStream, openEvents } from "@/e2e/support/event-client";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createPlace, FEW_SYMBOLS } from "@/e2e/support/prepared-past";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { NO_LIMIT } from "@/lib/access/plans";
import { HOUR_MS } from "@/lib/time/units";

/** A server whose database is behind a proxy that interrupts it, and every call of the documentation. */

/** Operations that answer from memory, once their first answer has read what they need. */
const IN_MEMORY = new Set([
  "getQuote",
  "postQuotes",
  "getSymbols",
  "getSymbolsSymbol",
  "getOhlc",
  "getIndicator",
  "getIndicators",
  "getIndicatorsList",
  "getScreener",
  "getSummary",
  "getHeatmap",
  "getCalendar",
  "getCalendarIcs",
  "getCalendarWindow",
  "getSessions",
]);

/** What only drivers, React and JavaScript say. */
const RAW_WORDS =
  /timeout exceeded|connection terminated|ECONN\w+|Invalid `prisma|\[object |\{"0":|query read timeout|too many clients|canceling statement|terminating connection|Minified React/i;

/** Twice the connections to the database. */
const AT_ONCE = 16;
/** Two reads of bars that wait for ten seconds each. */
const LONGEST_MS = 22_000;
/** A page sends its parts as they come, on a busy machine one after the other. */
const LONGEST_PAGE_MS = 60_000;

interface KnownCall {
  readonly operation: string;
  readonly sent: SentCall;
}

export interface Outage {
  readonly name: string;
  readonly begin: (scene: OutageScene) => void | Promise<void>;
  readonly forMs: number;
  /** Whether `npm test` tries it; the others are left to `npm run test:all`. */
  readonly isUsual?: true;
}

/** The database fails in these ways. */
export const OUTAGES: readonly Outage[] = [
  { name: "answers nothing", begin: ({ cutter }) => cutter.silence(), forMs: 3_000, isUsual: true },
  { name: "refuses connections", begin: ({ cutter }) => cutter.refuse(), forMs: 2_000 },
  {
    name: "cuts its answers in their middle",
    begin: ({ cutter }) => cutter.cutAnswers(3),
    forMs: 3_000,
    isUsual: true,
  },
  { name: "takes eight seconds for an answer", begin: ({ cutter }) => cutter.delay(8_000), forMs: 10_000 },
  { name: "takes a second for an answer", begin: ({ cutter }) => cutter.delay(1_000), forMs: 6_000 },
  { name: "has too many connections", begin: ({ cutter }) => cutter.beFull(), forMs: 3_000 },
  {
    name: "ends every connection again and again",
    begin: (scene) => scene.harass("pg_terminate_backend"),
    forMs: 4_000,
  },
  { name: "cancels every statement", begin: (scene) => scene.harass("pg_cancel_backend"), forMs: 4_000 },
];

/** Calls of a symbol that nobody has asked for: their bars are joined, of seconds, of another side or of the past. */
function listColdCalls(symbol: string, key: string): KnownCall[] {
  const at = new Date(Date.now() - HOUR_MS).toISOString();
  const bars = ["MN1", "M2", "S10", "M30", "H12", "M1&price=ask"].map(
    (part) => `ohlc?symbol=${symbol}&timeframe=${part}`,
  );
  const others = [
    `indicator?symbol=${symbol}&indicator=RSI_14&timeframe=M2`,
    `summary?symbol=${symbol}&timeframe=H12`,
    `quote?symbol=${symbol}&at=${at}`,
    `ohlc?symbol=${symbol}&timeframe=M3&at=${at}`,
    `spread?symbol=${symbol}&at=${at}`,
    `screener?indicator=RSI_14&timeframe=M30&at=${at}`,
    `heatmap?timeframe=M15&at=${at}`,
    `stream?symbols=${symbol}&from=${at}&to=${at.slice(0, 17)}59Z&speed=max`,
    `stream?symbols=${symbol}&from=${at}&to=${at.slice(0, 17)}59Z&speed=max&resolution=tick`,
  ];
  const headers = { "X-API-Key": key };
  return [...bars, ...others].map((target) => ({
    operation: "cold",
    sent: { method: "GET", target: `/v1/${target}`, headers },
  }));
}

/** Every page without a parameter in its path, and some with one. */
function listPages(cookie: string): KnownCall[] {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("page.tsx"));
  const paths = files
    .map((file) => `/${file.replace(/\(\w+\)\/|\/?page\.tsx$/g, "")}`)
    .filter((path) => !path.includes("["));
  return [...paths, "/symbols/EURUSD", "/docs", "/quotes?open=EURUSD"].map((target) => ({
    operation: "page",
    sent: { method: "GET", target, headers: { Cookie: cookie, Accept: "text/html" } },
  }));
}

/** The processes that answer for a server. Those of its jobs come and go. */
const listServers = (server: Spotline) =>
  listChildren(server).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("-server"));

interface Parts {
  readonly server: Spotline;
  readonly cutter: Awaited<ReturnType<typeof startCutter>>;
  readonly key: string;
  /** The cookie of a session; null on a server without pages. */
  readonly cookie: string | null;
  /** Past the proxy. */
  readonly admin: Pool;
  readonly remove: () => Promise<void>;
}

export class OutageScene {
  readonly #parts: Parts;
  readonly #calls: KnownCall[] = [];
  readonly #unasked = [...FEW_SYMBOLS];
  #children: readonly number[] = [];
  #stream: EventStream | null = null;
  #harassing: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async start(env: Readonly<Record<string, string>>, prepare = createPlace): Promise<OutageScene> {
    const { place, remove } = await prepare();
    const direct = place.DATABASE_URL ?? "";
    const cutter = await startCutter(direct);
    const through = new URL(direct);
    through.host = new URL(cutter.url).host;
    const server = await startTestServer({
      env: { ...simulateFewPrices(), ...env, ...place, DATABASE_URL: through.href },
    });
    const hasPages = !("SPOTLINE_ROLES" in env);
    const access = await withAccess(place, async ({ accounts, keys, database }) => {
      const { id } = await accounts.create({ email: "owner@example.com", password: "correct horse battery" });
      await accounts.setLimits(id, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
      const { secret: key } = await keys.create({ accountId: id, label: "test", scopes: ["all"] });
      return { key, cookie: hasPages ? `${SESSION_COOKIE}=${await startTestSession(database, id)}` : null };
    });
    const admin = new Pool({ connectionString: direct, max: 1 });
    const scene = new OutageScene({ server, cutter, ...access, admin, remove });
    await scene.#learn();
    return scene;
  }

  get cutter(): Parts["cutter"] {
    return this.#parts.cutter;
  }

  /** Makes each call once, so that what can be in memory is. */
  async #learn(): Promise<void> {
    const { server, key, cookie } = this.#parts;
    for await (const { operation, sent, reply } of makeCalls(server.url, key, Date.now())) {
      expect(`${operation} ${reply.status}`).toMatch(/ [24]\d\d$/);
      this.#calls.push({ operation, sent });
    }
    if (cookie !== null) {
      const render = async () => expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
      await vi.waitFor(render, { timeout: 120_000, interval: 500 });
      this.#calls.push(...listPages(cookie));
    }
    this.#children = listServers(server);
    this.#stream = await openEvents(`${server.url}/v1/stream?symbols=EURUSD,BTCUSD`, { "X-API-Key": key });
  }

  /** Ends or cancels, with the named function of PostgreSQL, whatever the server's connections do. */
  harass(what: "pg_terminate_backend" | "pg_cancel_backend"): void {
    const others = `SELECT ${what}(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    this.#harassing = setInterval(() => void this.#parts.admin.query(others).catch(() => {}), 50);
  }

  /** Makes all calls in one outage, and again after it. */
  async endure({ begin, forMs }: Outage): Promise<void> {
    const sinceMs = performance.now();
    await begin(this);
    const before = this.#stream?.events.length ?? 0;
    const cold = listColdCalls(this.#unasked.pop() ?? "AUDUSD", this.#parts.key);
    const wrong = await this.#makeAll([...cold, ...this.#calls], (operation, status) => {
      if (operation === "page" || status === 503) return !IN_MEMORY.has(operation);
      return status < 500;
    });
    await pause(Math.max(0, sinceMs + forMs - performance.now()));
    expect(this.#stream?.events.length, "the stream of prices goes on").toBeGreaterThan(before);
    clearInterval(this.#harassing);
    this.cutter.restore();
    expect(wrong).toEqual([]);
    await this.#recover(cold);
  }

  async #recover(cold: readonly KnownCall[]): Promise<void> {
    const { server } = this.#parts;
    const isReady = async () => (await fetch(`${server.url}/ready`)).status;
    await expect.poll(isReady, { timeout: 30_000, interval: 200 }).toBe(200);
    const makeAgain = () => this.#makeAll([...cold, ...this.#calls], (_, status) => status < 500);
    await expect.poll(makeAgain, { timeout: 60_000 }).toEqual([]);
    expect(listServers(server), "no process was started again").toEqual(this.#children);
    const unnoticed = /.*(?:"level":60|work that nothing waits for|UnhandledPromise).*/g;
    expect(server.output().match(unnoticed), "every failure is handled").toBeNull();
  }

  /** Makes calls, some at once, and lists those whose answers are not accepted, use others' words or come late. */
  async #makeAll(calls: readonly KnownCall[], accepts: (operation: string, status: number) => boolean) {
    const wrong: string[] = [];
    const waiting = [...calls];
    const work = async () => {
      for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
        const { operation, sent } = call;
        const startedAtMs = performance.now();
        const { status, body } = await sendCall(this.#parts.server.url, sent);
        const tookMs = performance.now() - startedAtMs;
        const isAccepted = /^get(Ready|Health)$/.test(operation) || accepts(operation, status);
        const raw = RAW_WORDS.exec(body)?.[0];
        if (!isAccepted || raw !== undefined || tookMs > (operation === "page" ? LONGEST_PAGE_MS : LONGEST_MS)) {
          wrong.push(
            `${operation} ${sent.target}: ${status} in ${Math.round(tookMs)} ms, ${raw ?? body.slice(0, 300)}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return wrong;
  }

  async end(): Promise<void> {
    const { server, cutter, admin, remove } = this.#parts;
    this.#stream?.close();
    cutter.restore();
    expect(await server.stop()).toBe(0);
    cutter.close();
    await admin.end();
    await remove();
  }
}
