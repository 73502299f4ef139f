import { execFile, execFileSync, spawn } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import type { AccountStatus } from "@/lib/access/accounts/account-status";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { NO_LIMIT } from "@/lib/access/plans";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** Start, changes from outside and shutdown of a whole process. */

const EMAIL = "owner@example.com";
const PASSWORD = "correct horse battery";
let spotline: Spotline;
let ownerId: string;
let stopped = false;

beforeAll(async () => {
  spotline = await startTestServer({}, "embedded");
  const owner = { email: EMAIL, password: PASSWORD, plan: "pro" } as const;
  ({ id: ownerId } = await withAccess(spotline.place, ({ accounts }) => accounts.create(owner)));
});

afterAll(async () => {
  if (!stopped) await spotline.stop();
});

async function createKey(accountId = ownerId): Promise<{ id: string; key: string }> {
  const request = { accountId, label: "test", scopes: ["all"] };
  const { id, secret } = await withAccess(spotline.place, ({ keys }) => keys.create(request));
  return { id, key: secret };
}

/** Sets both limits of the owner, none by default. */
const setLimits = ({ perMinute = NO_LIMIT, perDay = NO_LIMIT }: { perMinute?: number; perDay?: number }) =>
  withAccess(spotline.place, ({ accounts }) => accounts.setLimits(ownerId, { perMinute, perDay }));

async function quoteStatus(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
  await response.arrayBuffer();
  return response.status;
}

describe("A running server", () => {
  test("accepts a key that the operator's command has just created, and refuses it within a second of its revocation", async () => {
    const create = ["key", "create", "--account", EMAIL, "--label", "test"];
    const { id, key } = await spotline.cli<{ id: string; key: string }>(...create);
    expect(await quoteStatus(spotline.url, key)).toBe(200);
    await spotline.cli("key", "revoke", "--id", id);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await quoteStatus(spotline.url, key)).toBe(401);
  });

  test("applies an operator's limit within a second", async () => {
    const { key } = await createKey();
    await spotline.cli("account", "set-limits", "--email", EMAIL, "--per-minute", "3", "--per-day", "none");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const statuses: number[] = [];
    for (let call = 0; call < 5; call++) statuses.push(await quoteStatus(spotline.url, key));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await setLimits({});
  });

  test("refuses calls above the daily quota until midnight", async () => {
    const { key } = await createKey();
    await setLimits({ perDay: 2 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const quote = (symbol: string) =>
      fetch(`${spotline.url}/v1/quote?symbol=${symbol}`, { headers: { "X-API-Key": key } });
    let refused = await quote("EURUSD");
    for (let call = 0; call < 3 && refused.status === 200; call++) refused = await quote("EURUSD");
    expect(refused.status).toBe(429);
    const { error } = (await refused.json()) as { error: { code: string; reset_in_seconds: number } };
    expect(error.code).toBe("QUOTA_EXCEEDED");
    expect(error.reset_in_seconds).toBeLessThanOrEqual(86_400);
    expect((await quote("NOPE")).status).toBe(429);
    await setLimits({});
  });

  test("refuses the calls of a suspended or closed account within a second, and admits those of a resumed one", async () => {
    const email = "member@example.com";
    const { id } = await withAccess(spotline.place, ({ accounts }) => accounts.create({ email, password: PASSWORD }));
    const { key } = await createKey(id);
    const after = async (change: (status: AccountStatus) => Promise<unknown>) => {
      await withAccess(spotline.place, ({ accountStatus }) => change(accountStatus));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return quoteStatus(spotline.url, key);
    };
    expect(await quoteStatus(spotline.url, key)).toBe(200);
    expect(await after((status) => status.setSuspended(id, true, OPERATOR_CLI, "unpaid"))).toBe(403);
    expect(await after((status) => status.setSuspended(id, false))).toBe(200);
    expect(await after((status) => status.close(id))).toBe(401);
  });

  test("refuses a key when it has expired", async () => {
    const { id, key } = await createKey();
    const expiresAtMs = Date.now() + 3_000;
    await withAccess(spotline.place, ({ keys }) => keys.update(id, { expiresAtMs }, OPERATOR_CLI));
    const refused = () => quoteStatus(spotline.url, key).then((status) => status === 401);
    await expect.poll(refused, { timeout: 20_000, interval: 100 }).toBe(true);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAtMs);
  });

  test("makes a second server on its data folder fail with one sentence", async () => {
    const env = {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(await findFreePort()),
      SPOTLINE_DATA_DIR: spotline.dataDir,
    };
    const failure = await promisify(execFile)(process.execPath, ["dist/server.mjs"], {
      env: env as NodeJS.ProcessEnv,
    }).then(
      () => null,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failure?.code).toBe(1);
    expect(failure?.stderr).toContain(spotline.dataDir);
    expect(failure?.stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test("answers calls while its pages are down, and restarts them", async () => {
    const { key } = await createKey();
    const page = () => fetch(`${spotline.url}/sign-in`).then(({ status }) => status);
    expect(await page()).toBe(200);
    process.kill(findPagesProcess(spotline.pid), "SIGKILL");
    expect(await quoteStatus(spotline.url, key)).toBe(200);
    await expect.poll(page, { timeout: 20_000 }).toBe(200);
  });

  test("never logs a key", async () => {
    const { key } = await createKey();
    await quoteStatus(spotline.url, key);
    await fetch(`${spotline.url}/v1/quote?symbol=EURUSD&api_key=${key}`);
    await fetch(`${spotline.url}/v1/symbols/${key}`, { headers: { "X-API-Key": key } });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(spotline.output()).toContain('"path":"/v1/symbols/{symbol}"');
    expect(spotline.output()).not.toContain(key.slice(-20));
  });

  test("finishes and counts a running request at SIGTERM, and exits with 0 within ten seconds", async () => {
    const { id, key } = await createKey();
    const slow = sendSlowly(spotline.url, key, '{"symbols":["EURUSD"]}', 1_500);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedAtMs = Date.now();
    stopped = true;
    const [answer, code] = await Promise.all([slow, spotline.stop()]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(code).toBe(0);
    expect(Date.now() - startedAtMs).toBeLessThan(10_000);
    expect(spotline.output()).toContain(`"key":"${id}"`);
  });
});

describe("A server with invalid settings", () => {
  test("exits with a list of all invalid settings", async () => {
    const child = spawn(process.execPath, ["dist/server.mjs"], {
      env: { ...process.env, PORT: "many", SPOTLINE_SIGN_UP: "sometimes" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let message = "";
    child.stderr.on("data", (chunk: Buffer) => (message += chunk.toString()));
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(1);
    expect(message).toMatch(/PORT: must be a whole number[\s\S]*SPOTLINE_SIGN_UP: /);
  });
});

/** Finds the process that renders the pages: the only child of the server. */
function findPagesProcess(pid: number): number {
  return Number(execFileSync("pgrep", ["-P", String(pid), "-f", "pages-server"]).toString());
}

/** Sends a POST whose body arrives in two halves, `pauseMs` apart, and reads the whole answer. */
function sendSlowly(url: string, key: string, body: string, pauseMs: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const head = `POST /v1/quotes HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(head + body.slice(0, 5));
      setTimeout(() => socket.write(body.slice(5)), pauseMs);
    });
    socket.on("data", (chunk) => (received += chunk.toString()));
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}
