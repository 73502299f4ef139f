import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { withAccess } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** The address of a caller, behind a proxy and without one. */

/** Creates an account and its keys, one for each allow-list. Returns their secrets. */
function createKeys(server: Spotline, ...allowed: readonly (readonly string[])[]): Promise<string[]> {
  return withAccess(server.place, async ({ accounts, keys }) => {
    const { id: accountId } = await accounts.create({ email: "owner@example.com", password: "correct horse battery" });
    const secrets: string[] = [];
    for (const addresses of allowed) {
      secrets.push((await keys.create({ accountId, label: "test", scopes: ["all"], addresses })).secret);
    }
    return secrets;
  });
}

async function quoteStatus({ url }: Spotline, key: string | undefined, headers: Record<string, string> = {}) {
  const path = `${url}/v1/quote?symbol=EURUSD`;
  return (await fetch(path, { headers: { ...headers, "X-API-Key": key ?? "" } })).status;
}

describe("A server without pages, behind one trusted proxy", () => {
  test("uses the address that the proxy appended, not those that the client sent", async () => {
    const proxied = await startTestServer({
      env: { SPOTLINE_TRUSTED_PROXIES: "1", ...simulateFewPrices(), ...WITHOUT_PAGES },
    });
    try {
      expect(() => execFileSync("pgrep", ["-P", String(proxied.pid)])).toThrow();
      for (const path of ["/", "/sign-in", "/api/auth/session"]) {
        const answer = await fetch(proxied.url + path);
        expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: "NOT_FOUND" } }]);
      }
      const [key] = await createKeys(proxied, ["203.0.113.0/24"]);
      const status = (address: string, claims = {}) =>
        quoteStatus(proxied, key, { "X-Forwarded-For": address, ...claims });
      await expect.poll(() => status("203.0.113.7")).toBe(200);
      expect(await status("198.51.100.1, 203.0.113.7")).toBe(200);
      expect(await status("203.0.113.7, 198.51.100.1")).toBe(403);
      for (const name of ["Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP"]) {
        const claim = name === "Forwarded" ? "for=203.0.113.7" : "203.0.113.7";
        for (const address of ["198.51.100.1", ""]) expect(await status(address, { [name]: claim })).toBe(403);
      }
      for (const entry of ["203.0.113.7:51234", "[::ffff:203.0.113.7]:443", '"203.0.113.7"'])
        expect(await status(`198.51.100.1, ${entry}`)).toBe(200);
      const forwarded = (value: string) => quoteStatus(proxied, key, { Forwarded: value });
      expect(await forwarded('for=198.51.100.1, for="203.0.113.7:51234";proto=https')).toBe(200);
      expect(await forwarded("for=203.0.113.7, for=198.51.100.1")).toBe(403);
      expect(await status("app-1.internal")).toBe(403);
      // The command fails, since it finds something wrong.
      const report = await proxied.cli("doctor").then(JSON.stringify, ({ stdout }: { stdout: string }) => stdout);
      expect(report).toContain("in place of a client's address");
    } finally {
      await proxied.stop();
    }
  });
});

describe("A plain `next start`, which has no trusted address of its callers", () => {
  test("serves a key, but refuses a key with an allow-list whatever headers the caller sends", async () => {
    const port = await findFreePort();
    const plain = await startTestServer({
      command: ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)],
      port,
      env: simulateFewPrices(),
    });
    try {
      const [free, bound] = await createKeys(plain, [], ["127.0.0.1"]);
      await expect.poll(() => quoteStatus(plain, free)).toBe(200);
      expect(await quoteStatus(plain, bound)).toBe(403);
      expect(await quoteStatus(plain, bound, { "X-Forwarded-For": "127.0.0.1" })).toBe(403);
    } finally {
      await plain.stop();
    }
  });
});
