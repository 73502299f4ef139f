import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listListening } from "@/e2e/process/api-process-scene";
import { countByStatus, createKey, type Fleet, quote, quotes, setLimits, startFleet } from "@/e2e/process/fleet";
import { withAccess } from "@/e2e/support/access";
import { sendRaw } from "@/e2e/support/raw-request";
import type { Spotline } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { TARGET_HEADER } from "@/lib/api/next-host";
import { spellPath } from "@/lib/api/path-spellings.fixture";
import { matchPath } from "@/lib/api/registry";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

/** Several processes that answer calls on one port. */

/** Both ways to count, with different numbers of processes: all pairs would take twice as long, and run the same code. */
const CASES = (
  [
    [2, "Redis"],
    [4, "writer"],
  ] as const
).filter(([, shares]) => canRunRedis || shares === "writer");

describe.each(CASES)("%i processes whose calls are counted by the %s", (count, shares) => {
  let redis: TestRedis | null = null;
  let fleet: Fleet;
  let server: Spotline;
  beforeAll(async () => {
    redis = shares === "Redis" ? await startTestRedis() : null;
    // On a busy machine, a shorter timeout would be exceeded, and the numbers would not be exact.
    const shared: Record<string, string> =
      redis === null
        ? { SPOTLINE_ROLES: "writer,api,pages" }
        : { REDIS_URL: redis.url, SPOTLINE_REDIS_TIMEOUT_MS: "1000" };
    fleet = await startFleet(1, { SPOTLINE_API_PROCESSES: String(count), ...shared });
    server = fleet.servers[0] as Spotline;
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await redis?.remove();
  });

  test("admit exactly the limit of parallel calls, also after one of them was killed", async () => {
    await setLimits(fleet, { perMinute: 100 });
    const { key } = await createKey(fleet);
    expect(countByStatus(await quotes(60, [server], key))).toEqual({ 200: 60 });
    // While none of them listens, the port is closed.
    const until = { timeout: 60_000 };
    await vi.waitFor(() => expect(listListening(server)).toHaveLength(count), until);
    const [victim = 0] = listListening(server);
    process.kill(victim, "SIGKILL");
    await vi.waitFor(() => {
      const now = listListening(server);
      expect(now).toHaveLength(count);
      expect(now).not.toContain(victim);
    }, until);
    expect(countByStatus(await quotes(200, [server], key))).toEqual({ 200: 40, 429: 160 });
    await setLimits(fleet, {});
  });

  if (shares === "writer") testBesidePages(() => ({ fleet, server, count }));
  else
    test("each tell the operator's command the state of the server, and nobody else", async () => {
      const [first, second] = await Promise.all([server.cli("status"), server.cli("status")]);
      for (const status of [first, second]) {
        expect(status).toMatchObject({ health: { components: { api: {} } }, memory_bytes: { pages: null } });
      }
      for (let call = 0; call < 2 * count; call++) {
        const headers = { Connection: "close", Authorization: "Bearer forged" };
        expect((await fetch(`${server.url}/status/data`, { headers })).status).toBe(404);
      }
    });
});

interface Scene {
  readonly fleet: Fleet;
  readonly server: Spotline;
  readonly count: number;
}

/** Tests of processes beside the pages. */
function testBesidePages(getScene: () => Scene): void {
  test("all refuse a key within a second of its revocation", async () => {
    const { fleet, server, count } = getScene();
    const { id, key } = await createKey(fleet);
    const callAll = async () => {
      const replies = Array.from({ length: 4 * count }, () => quote(server, key, { Connection: "close" }));
      return new Set((await Promise.all(replies)).map(({ status }) => status));
    };
    expect(await callAll()).toEqual(new Set([200]));
    await withAccess(fleet.place, ({ keys }) => keys.revoke(id, OPERATOR_CLI));
    await vi.waitFor(async () => expect(await callAll()).toEqual(new Set([401])), { timeout: 2_000, interval: 50 });
  });

  test("all pass on what is for the pages and for the writer", async () => {
    const { server } = getScene();
    for (let call = 0; call < 8; call++) {
      const page = await fetch(`${server.url}/sign-in`, { headers: { Connection: "close" }, redirect: "manual" });
      expect([200, 307]).toContain(page.status);
      const headers = { Connection: "close", "Content-Type": "application/json" };
      const push = await fetch(`${server.url}/ingest/v1/mt5/ticks`, { method: "POST", headers, body: "{}" });
      expect([push.status, await push.json()]).toMatchObject([401, { error: { code: "INVALID_TOKEN" } }]);
    }
  });

  /** A path of each part of the API. */
  const PATHS = ["/v1/quote", "/csv/token", "/udf/token/quotes", "/ingest/v1/mt5/ticks", "/mcp", "/health", "/ready"];

  test("leave no spelling of a path of the API to the pages", async () => {
    const { hostname, port } = new URL(getScene().server.url);
    for (const path of PATHS.flatMap(spellPath)) {
      const { status, headers } = await sendRaw({ hostname, port, path });
      // Equal paths are refused without a key, and another token of a link, too.
      const expected = matchPath(path) === null ? 404 : 401;
      expect([path, status, headers["content-security-policy"]]).toEqual([path, expected, undefined]);
    }
  });

  test("have no second host beside them in the process of the pages", async () => {
    const { fleet, server } = getScene();
    const { hostname, port } = new URL(server.url);
    const headers = { "X-API-Key": (await createKey(fleet)).key };
    const call = { path: "/v1/quote?symbol=EURUSD", headers };
    await vi.waitFor(async () => expect((await sendRaw({ hostname, port, ...call })).status).toBe(200), 10_000);
    const socketPath = findPagesSocket(server);
    expect((await sendRaw({ socketPath, path: "/sign-in", headers: { host: "localhost" } })).status).toBe(200);
    for (const path of [call.path, ...PATHS.flatMap((each) => [each, ...spellPath(each)])]) {
      // The header with which a server passes on the target of a call.
      for (const extra of [{}, { [TARGET_HEADER]: call.path }]) {
        const { status, body } = await sendRaw({
          socketPath,
          path,
          headers: { ...headers, ...extra, host: "localhost" },
        });
        // Next answers some spellings with a page, or with a redirect to the usual one.
        expect([path, /"success":true|"components"|"bid"/.test(body)]).toEqual([path, false]);
        if (path === call.path) expect(status).toBe(404);
      }
    }
  });
}

/** The local socket of the pages, as the server has passed it to its processes. */
function findPagesSocket(server: Spotline): string {
  const [pid] = listListening(server);
  const [, path] = /(?:^|\0)SPOTLINE_PAGES_SOCKET=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8")) ?? [];
  if (path === undefined) throw new Error("The pages have no socket.");
  return path;
}
