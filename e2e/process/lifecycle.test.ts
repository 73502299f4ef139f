import { execFile, execFileSync } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
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

async function quoteStatus(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
  await response.arrayBuffer();
  return response.status;
}

describe("A running server", () => {
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
