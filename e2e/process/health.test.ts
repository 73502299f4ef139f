import { existsSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listChildren, readReady } from "@/e2e/process/api-process-scene";
import { testMetricsPort } from "@/e2e/process/metrics";
import { createKey } from "@/e2e/process/own-key";
import { withAccess } from "@/e2e/support/access";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createSourceControl } from "@/lib/access/source-control";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { systemClock } from "@/lib/platform/timing/clock";

/** What a whole server says of itself, in its metrics and at `/ready`, also while one of its parts fails. */

const WAIT = { timeout: 60_000, interval: 250 };

describe("A whole server", () => {
  let server: Spotline;
  let scrapeUrl = "";
  let key = "";
  beforeAll(async () => {
    const port = await findFreePort();
    server = await startTestServer({ env: { SPOTLINE_METRICS_PORT: String(port) } });
    scrapeUrl = `http://127.0.0.1:${port}/metrics`;
    key = await createKey(server);
    // Operators' commands read the state of the server from its pages.
    await (await fetch(`${server.url}/sign-in`)).text();
  });
  afterAll(() => server.stop());

  /** The status of the answer, and that of one part. */
  const readPart = async (name: string) => {
    const { status, components } = await readReady(server);
    return [status, components[name]?.status];
  };

  test("names each of its parts in its answer to a probe", async () => {
    const { components } = await readReady(server);
    const parts = ["clock", "database", "feeds", "keys", "pages", "recording", "sources", "usage"];
    expect(Object.keys(components).sort()).toEqual(parts);
  });

  test("logs nothing above the level of information after a start, also of a symbol that is not quoted", async () => {
    // The simulated market sends such a symbol now and then, and rarely while only crypto trades.
    const hasSent = () => expect(server.output()).toContain("symbol names no single instrument");
    const hours = instrumentBySymbol.get("EURUSD")?.tradingHours;
    if (hours !== undefined && isMarketOpen(hours, Date.now())) await vi.waitFor(hasSent, WAIT);
    const warnings = server.output().match(/^\{"level":[4-6]0.*/gm) ?? [];
    // A busy machine's database may be late, which is worth a warning.
    expect(warnings.filter((line) => !/"message":"[^"]*(timeout|terminated)/.test(line))).toEqual([]);
  });

  testMetricsPort(() => ({ server, scrapeUrl, key }));

  test("is not ready after the prices of all its sources have ended, and is again when they return", async () => {
    const { sources } = await server.cli<{ sources: { source: string }[] }>("sources", "list");
    const setAll = (action: "pause" | "resume") =>
      withAccess(server.place, async ({ database }) => {
        const control = createSourceControl(database, { now: systemClock });
        for (const { source } of sources) await control[action](source, OPERATOR_CLI);
      });
    await setAll("pause");
    await vi.waitFor(async () => expect(await readPart("feeds")).toEqual([503, "down"]), WAIT);
    await setAll("resume");
    await vi.waitFor(async () => expect(await readPart("feeds")).toEqual([200, "ok"]), WAIT);
  });

  test("reports pages that hang, answers calls meanwhile, and replaces them", async () => {
    const [pages = 0] = listChildren(server);
    const page = () => fetch(`${server.url}/sign-in`).then(({ status }) => status);
    expect(await page()).toBe(200);
    process.kill(pages, "SIGSTOP");
    await vi.waitFor(async () => expect(await readPart("pages")).toEqual([200, "degraded"]), WAIT);
    expect((await fetch(`${server.url}/v1/quote?symbol=EURUSD`)).status).toBe(401);
    await vi.waitFor(async () => expect(await readPart("pages")).toEqual([200, "ok"]), WAIT);
    expect(listChildren(server)).not.toContain(pages);
    expect(await page()).toBe(200);
    expect(server.output()).toContain("pages process hangs; ending it");
  });

  test("ends its pages when it is killed", async () => {
    const [pages = 0] = listChildren(server);
    process.kill(server.pid, "SIGKILL");
    await server.ended;
    await vi.waitFor(() => expect(existsSync(`/proc/${pages}`)).toBe(false), WAIT);
  });
});

const database = await createFilledDatabase();
if (database === null) console.warn("SKIPPED: no PostgreSQL is reachable, so none becomes read-only");

describe.runIf(database !== null)("A server whose PostgreSQL becomes read-only", () => {
  let server: Spotline;
  let admin: pg.Client;
  beforeAll(async () => {
    const DATABASE_URL = database?.url ?? "";
    server = await startTestServer({ env: { DATABASE_URL, ...WITHOUT_PAGES, ...preferSteadySource() } });
    const url = new URL(DATABASE_URL);
    url.pathname = "/postgres";
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
    await database?.drop();
  });

  /** As an operator or a provider does: open sessions keep the old setting, so they are ended. */
  async function setReadOnly(isOn: boolean): Promise<void> {
    const { name = "" } = database ?? {};
    await admin.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${isOn ? "on" : "off"}`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  }

  test("is not ready within seconds, serves prices from memory, lets no other start, and is ready once it can write", async () => {
    const { secret: key } = await withAccess(server.place, async ({ accounts, keys }) => {
      const { id: accountId } = await accounts.create({
        email: "owner@example.com",
        password: "correct horse battery",
      });
      return keys.create({ accountId, label: "test", scopes: ["all"] });
    });
    const call = async () => {
      const answer = await fetch(`${server.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
      return [answer.status, answer.headers.get("x-quote-state")];
    };
    await vi.waitFor(async () => expect(await call()).toEqual([200, "live"]), WAIT);
    await setReadOnly(true);
    try {
      await vi.waitFor(async () => {
        const { status, components } = await readReady(server);
        expect([status, components["database"]?.status]).toEqual([503, "down"]);
      }, WAIT);
      expect(await call()).toEqual([200, "live"]);
      const second = startTestServer({ env: { DATABASE_URL: database?.url ?? "", ...WITHOUT_PAGES } });
      await expect(second).rejects.toThrow(
        "Spotline could not start: the database takes no changes, since it is read-only",
      );
    } finally {
      await setReadOnly(false);
    }
    await vi.waitFor(async () => expect((await readReady(server)).isWhole).toBe(true), WAIT);
  });
});
