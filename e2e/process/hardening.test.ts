import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { withAccess } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createFormClient, filled } from "@/e2e/support/form-client";
import { findSignUpPath, type Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** Attacks on a server over the network, and the addresses of its callers. */

const EMAIL = "owner@example.com";
const PASSWORD = "correct horse battery";
/** The server's limit for a whole request, and some time to close the connection. */
const STALLED_MS = 40_000;

describe("A server over plain HTTP", () => {
  let spotline: SharedServer;
  beforeAll(async () => {
    spotline = await joinSharedServer();
  });
  afterAll(() => spotline.leave());

  const get = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("Accept", "text/html,*/*;q=0.8");
    return fetch(spotline.url + path, { redirect: "manual", ...init, headers });
  };
  /** Sends a request with a header that fetch does not let callers set. */
  const getStatus = (path: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(spotline.url + path, { headers: { host } }, (answer) => resolve(answer.resume().statusCode))
        .on("error", reject)
        .end();
    });

  test.each([
    ["a page", "/sign-in", {}, 200],
    ["a redirect", "/keys", {}, 307],
    ["a page that is not there", "/no-such-page", {}, 404],
    ["a session route that is not open", "/api/auth/session", {}, 404],
    ["a refused form", "/sign-in", { method: "POST", headers: { origin: "https://evil.example" } }, 403],
    ["a method that is not there", "/keys", { method: "DELETE" }, 403],
  ])("sends protective headers with %s", async (_, path, init, status) => {
    const response = await get(path, init);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'") as unknown,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(response.headers.get("x-powered-by")).toBeNull();
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(await response.text()).not.toMatch(/node_modules|\bat \w+ \(|\.ts:\d/);
  });

  test.each([
    ["/v1/quote", 401],
    ["/v1/no-such-endpoint", 404],
    ["/v1/quote?symbol=%zz", 401],
  ])("forbids content sniffing of %s", async (path, status) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  const hostile = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "/.//evil.example",
    "http://localhost@evil.example",
    "https://evil.example/%0d%0aSet-Cookie:a=b",
  ];
  test.each(hostile)("does not redirect to %s from its session routes", async (target) => {
    const encoded = encodeURIComponent(target);
    const form = { csrfToken: "a", callbackUrl: target };
    const post = { method: "POST", headers: { origin: spotline.url }, body: new URLSearchParams(form) };
    const answers = await Promise.all([
      get(`/api/auth/signin?callbackUrl=${encoded}`),
      get(`/api/auth/signout?callbackUrl=${encoded}`),
      get(`/api/auth/callback/credentials?callbackUrl=${encoded}`),
      get(`/api/auth/error?callbackUrl=${encoded}`),
      get(`/sign-in?next=${encoded}`),
      get(`/api/auth/signout`, post),
      get(`/api/auth/callback/credentials`, post),
      get(`/api/auth/signin/credentials`, post),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500);
      const location = new URL(answer.headers.get("location") ?? "/", spotline.url);
      expect(["localhost", "127.0.0.1"]).toContain(location.hostname);
      for (const [name, value] of location.searchParams) {
        if (name === "callbackUrl") expect(new URL(value, spotline.url).hostname).toMatch(/^(localhost|127\.0\.0\.1)$/);
      }
      const cookie = answer.headers.getSetCookie().find((line) => line.includes("callback-url")) ?? "";
      expect(decodeURIComponent(cookie)).not.toContain("evil.example");
    }
  });

  test.each(["evil.example", "evil.example:3000", "localhost.evil.example"])(
    "answers no page under the foreign name %s",
    async (host) => {
      for (const path of ["/sign-in", "/sign-up", "/setup", "/keys", "/api/auth/session"]) {
        expect(await getStatus(path, host), path).toBe(421);
      }
      expect(await getStatus("/sign-in", "localhost")).toBe(200);
      // The API needs a key under any name.
      expect(await getStatus("/v1/quote", host)).toBe(401);
    },
  );

  test("writes no password, key, token or cookie to its log or its error pages", async () => {
    const browser = createFormClient(spotline.url);
    const secrets = [PASSWORD, "another horse battery", "wrong horse battery"];
    const email = `${randomUUID()}@example.com`;
    await browser.submit("/sign-up", /Create/, { email, password: PASSWORD });
    const form = await browser.form("/keys/new", /Create key/);
    const created = await browser.send(filled(form, { label: "Secret", password: PASSWORD }));
    const key = /fxk_live_\w{30,}/.exec(created.text)?.[0] ?? "";
    expect(key).not.toBe("");
    const ticket = /[\w.-]{100,}/.exec(JSON.stringify(form.fields))?.[0] ?? "";
    expect(ticket).not.toBe("");
    secrets.push(
      key,
      ticket,
      ...browser
        .cookie()
        .split("; ")
        .map((pair) => pair.split("=")[1] ?? ""),
    );
    const broken = { cookie: `${browser.cookie().slice(0, -6)}AAAAAA` };
    const pages: string[] = [];
    const load = async (path: string, init: RequestInit = {}) => pages.push(await (await get(path, init)).text());
    await load(`/v1/quote?symbol=EURUSD&api_key=${key}`);
    await load(`/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": `${key}x` } });
    // Next writes the address into the page, so only the log is checked here.
    await get(`/no-such-page?api_key=${key}`, { headers: { cookie: browser.cookie() } });
    await load("/keys", { headers: broken });
    await load("/api/auth/session", { headers: broken });
    await load("/api/auth/signout", { method: "POST", headers: { ...broken, origin: spotline.url } });
    await load("/keys", { method: "POST", headers: { cookie: browser.cookie() } });
    const { fields } = form;
    const torn = { ...form, fields: fields.map(([name]) => [name, "torn"] as const) };
    await browser.send({ ...torn, fields: [...torn.fields, ["password", PASSWORD]] });
    await browser.submit("/account", /Change password/, {
      old: "wrong horse battery",
      password: "another horse battery",
    });
    await browser.submit("/account", /Change password/, { old: PASSWORD, password: "another horse battery" });
    await createFormClient(spotline.url).submit("/sign-in", /Sign in/, {
      email,
      password: "wrong horse battery",
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const log = spotline.output();
    expect(log).toMatch(/"path":"\/v1\/quote","status":401,"ms":[\d.]+,"address":"127\.0\.0\.1"}/);
    expect(log).toMatch(/"reason":"password","address":"127\.0\.0\.1","accounts":\["[\da-f-]{36}"\],"count":1/);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15);
      expect(log).not.toContain(secret);
      // A page may have new tickets in its forms, but no ticket that was sent and no other secret.
      for (const page of pages) expect(page).not.toContain(secret);
    }
  });

  const head = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n`;
  const posted = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n";
  test.concurrent.each([
    ["sends nothing", "", ""],
    ["never finishes its headers", `${head("GET /v1/quotes")}X-A: `, "a"],
    ["never finishes its headers for a page", `${head("GET /sign-in")}X-A: `, "a"],
    ["never sends the announced body", `${head("POST /v1/quotes")}${posted}`, ""],
    ["sends a body one byte at a time", `${head("POST /v1/quotes")}${posted}`, " "],
    ["sends a page's body one byte at a time", `${head("POST /sign-in")}${posted}`, " "],
  ])("closes the connection of a client that %s", { timeout: STALLED_MS + 10_000 }, async (_, first, again) => {
    expect(await measureOpenTime(spotline.url, first, again)).toBeLessThan(STALLED_MS);
  });
});

describe("A server over HTTPS, behind a proxy", () => {
  const origin = "https://prices.example.com";
  let spotline: Spotline;
  beforeAll(async () => {
    const env = { ...simulateFewPrices(), SPOTLINE_URL: origin, SPOTLINE_TRUSTED_PROXIES: "1" };
    spotline = await startTestServer({ env });
  });
  afterAll(() => spotline?.stop());

  test("binds its cookies to this host and to TLS, and sends Strict-Transport-Security", async () => {
    const path = await findSignUpPath(spotline.url);
    const form = await createFormClient(spotline.url).form(path, /Create/);
    const body = new FormData();
    for (const [name, value] of filled(form, { email: EMAIL, password: PASSWORD }).fields) body.append(name, value);
    const headers = { "x-forwarded-host": new URL(origin).host, origin };
    const init = { method: "POST", headers, body, redirect: "manual" } as const;
    const response = await fetch(spotline.url + path, init);
    expect(response.status).toBe(303);
    const cookies = response.headers.getSetCookie();
    expect(cookies.some((line) => line.startsWith("__Host-spotline-session="))).toBe(true);
    for (const line of cookies) {
      expect(line).toMatch(/^__(Host|Secure)-/);
      expect(line).toMatch(/; Secure/);
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; SameSite=lax/i);
      expect(line).not.toMatch(/; Domain=/i);
    }
    expect(response.headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  });

  test("takes forms of its configured address, whatever host a proxy passes on", async () => {
    const form = await createFormClient(spotline.url).form("/sign-in", /Sign in/);
    const send = async (headers: Record<string, string>) => {
      const body = new FormData();
      for (const [name, value] of filled(form, { email: EMAIL, password: PASSWORD }).fields) body.append(name, value);
      const response = await fetch(`${spotline.url}/sign-in`, { method: "POST", headers, body, redirect: "manual" });
      return response.status;
    };
    expect(await send({ origin })).toBe(303);
    expect(await send({ origin, "x-forwarded-host": "10.0.0.7" })).toBe(303);
    expect(await send({ origin: "https://evil.example" })).toBe(403);
    expect(await send({ origin: `${origin}:4423` })).toBe(403);
  });

  test("stores the address that the proxy forwards with a session", async () => {
    const host = { "x-forwarded-host": new URL(origin).host, origin };
    const headers = { ...host, "x-forwarded-for": "198.51.100.9, 203.0.113.7" };
    const form = await createFormClient(spotline.url).form("/sign-in", /Sign in/);
    const body = new FormData();
    for (const [name, value] of filled(form, { email: EMAIL, password: PASSWORD }).fields) body.append(name, value);
    const init = { method: "POST", headers, body, redirect: "manual" } as const;
    expect((await fetch(`${spotline.url}/sign-in`, init)).status).toBe(303);
    const { sessions } = await spotline.cli<{ sessions: { address: string }[] }>(
      "account",
      "sessions",
      "--email",
      EMAIL,
    );
    expect(sessions.map(({ address }) => address)).toContain("203.0.113.7");
  });

  test("uses the address that the proxy appended, not those that the client sent", async () => {
    const [key] = await createKeys(spotline, ["203.0.113.0/24"]);
    const status = (address: string, claims = {}) =>
      quoteStatus(spotline, key, { "X-Forwarded-For": address, ...claims });
    await expect.poll(() => status("203.0.113.7")).toBe(200);
    expect(await status("198.51.100.1, 203.0.113.7")).toBe(200);
    expect(await status("203.0.113.7, 198.51.100.1")).toBe(403);
    for (const name of ["Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP"]) {
      const claim = name === "Forwarded" ? "for=203.0.113.7" : "203.0.113.7";
      for (const address of ["198.51.100.1", ""]) expect(await status(address, { [name]: claim })).toBe(403);
    }
    for (const entry of ["203.0.113.7:51234", "[::ffff:203.0.113.7]:443", '"203.0.113.7"'])
      expect(await status(`198.51.100.1, ${entry}`)).toBe(200);
    const forwarded = (value: string) => quoteStatus(spotline, key, { Forwarded: value });
    expect(await forwarded('for=198.51.100.1, for="203.0.113.7:51234";proto=https')).toBe(200);
    expect(await forwarded("for=203.0.113.7, for=198.51.100.1")).toBe(403);
    expect(await status("app-1.internal")).toBe(403);
    // The command fails, since it finds something wrong.
    const report = await spotline.cli("doctor").then(JSON.stringify, ({ stdout }: { stdout: string }) => stdout);
    expect(report).toContain("in place of a client's address");
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

/** Creates an account and its keys, one for each allow-list. Returns their secrets. */
function createKeys({ place }: Spotline, ...allowed: readonly (readonly string[])[]): Promise<string[]> {
  return withAccess(place, async ({ accounts, keys }) => {
    const { id: accountId } = await accounts.create({ email: "keys@example.com", password: "correct horse battery" });
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

/**
 * Opens a connection, sends `first`, then `again` every second. Resolves with the time until the server closed it, in
 * ms.
 */
function measureOpenTime(url: string, first: string, again: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    // This client never closes its side. Once the server has, writing fails only if it has let go of the connection.
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => socket.write(first));
    let probe: NodeJS.Timeout | undefined;
    socket.on("end", () => (probe = setInterval(() => socket.write(" "), 100)));
    const dribble = setInterval(() => socket.writable && again !== "" && socket.write(again), 1_000);
    const giveUp = setTimeout(() => socket.destroy(), STALLED_MS + 1_000);
    // The answer must be read, or the close event never comes.
    socket.resume();
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dribble);
      clearInterval(probe);
      clearTimeout(giveUp);
      resolve(performance.now() - startedAtMs);
    });
  });
}
