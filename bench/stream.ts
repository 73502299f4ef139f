import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { withAccess } from "@/e2e/support/access";
import { createEmbeddedPlace } from "@/e2e/support/prepared-past";
import { type Place, startSpotline } from "@/e2e/support/spotline";
import { NO_LIMIT } from "@/lib/access/plans";
import { findFreePort } from "@/lib/platform/testing/free-port";

/**
 * Measures streams of prices: 1,000 clients with 20 symbols and 200 with all of them, 250 price changes a second beside
 * those of the simulated market. The server has the first core, its clients the second. A bare WebSocket server that
 * sends the same changes at once is measured after it. Prints the delay from a change to its arrival, the calls of
 * /v1/quote without and beside the streams, and the memory over time.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const CHANGES = process.env.BENCH_CHANGES ?? "250";
const KEYS = 25;
const CALL_EVERY_MS = 20;
const QUIET_MS = 5_000;
const run = promisify(execFile);

async function main(): Promise<void> {
  const { place, remove } = await createEmbeddedPlace();
  try {
    console.log(`${CHANGES} changes a second, ${SECONDS} s; load average ${loadavg()[0]?.toFixed(1)}`);
    await measureSpotline(place);
    await measureBare();
  } finally {
    await remove();
  }
}

async function measureSpotline(place: Place): Promise<void> {
  const env = { BENCH_CHANGES: CHANGES, SPOTLINE_ROLES: "writer,api", SPOTLINE_MAX_CONNECTIONS_PER_ADDRESS: "5000" };
  const command = ["--import", "tsx", "bench/stream/server.ts"];
  const server = await startSpotline({
    env: { ...env, ...place },
    command,
    wrapper: ["taskset", "-c", "0"],
    discardLog: true,
  });
  try {
    const keys = await createKeys(place);
    await pause(QUIET_MS);
    const calls = callSteadily(server.url, keys[0] ?? "");
    await pause(QUIET_MS);
    console.log(`/v1/quote without streams: ${calls.take()}`);
    const memory = sampleMemory(server.pid);
    const received = await runClients(server.url, keys, () => void calls.take());
    console.log(`Spotline: ${received}`);
    console.log(`/v1/quote beside them: ${calls.take()}`);
    console.log(`memory each 2 s: ${memory.stop().join(" ")} MB; load average ${loadavg()[0]?.toFixed(1)}`);
    calls.stop();
  } finally {
    await server.stop();
  }
}

async function measureBare(): Promise<void> {
  const port = await findFreePort();
  const args = ["-c", "0", process.execPath, "--import", "tsx", "bench/stream/bare-server.ts"];
  const env = { ...process.env, PORT: String(port), BENCH_CHANGES: CHANGES };
  const child = spawn("taskset", args, { stdio: ["ignore", "pipe", "inherit"], env });
  try {
    await once(child.stdout, "data");
    console.log(`bare server: ${await runClients(`http://127.0.0.1:${port}`, [])}`);
  } finally {
    child.kill();
  }
}

/** Runs the clients on the second core. Returns their line of JSON; `onConnected` is called when all are connected. */
async function runClients(url: string, keys: readonly string[], onConnected = () => {}): Promise<string> {
  const env = {
    ...process.env,
    BENCH_URL: url.replace("http", "ws"),
    BENCH_KEYS: keys.join(","),
    BENCH_SECONDS: String(SECONDS),
  };
  // The calls come from this process: it must not wait for the clients, which keep their core busy.
  const args = ["-n", "10", "taskset", "-c", "1", process.execPath, "--import", "tsx", "bench/stream/clients.ts"];
  const clients = run("nice", args, { env });
  clients.child.stdout?.once("data", onConnected);
  return (await clients).stdout.trim().split("\n").at(-1) ?? "";
}

function createKeys(place: Place): Promise<string[]> {
  return withAccess(place, async ({ accounts, keys }) => {
    const account = { email: "bench@example.com", password: "a long enough password", plan: "enterprise" } as const;
    const { id: accountId } = await accounts.create(account);
    await accounts.setLimits(accountId, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
    const secrets: string[] = [];
    for (let key = 0; key < KEYS; key++)
      secrets.push((await keys.create({ accountId, label: `bench ${key}`, scopes: ["all"] })).secret);
    return secrets;
  });
}

/** Calls /v1/quote at a steady rate; `take` describes the answers since the last time. */
function callSteadily(url: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let times: number[] = [];
  const timer = setInterval(() => {
    const startedAtMs = performance.now();
    const options = { agent, headers: { "X-API-Key": key } };
    get(`${url}/v1/quote?symbol=EURUSD`, options, (response) => {
      response.resume().on("end", () => times.push(performance.now() - startedAtMs));
    }).on("error", () => times.push(Infinity));
  }, CALL_EVERY_MS);
  return {
    take() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      const percentile = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? NaN).toFixed(1);
      return `p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms of ${sorted.length}`;
    },
    stop: () => clearInterval(timer),
  };
}

function sampleMemory(pid: number) {
  const megabytes: number[] = [];
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    megabytes.push(Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024));
  }, 2_000);
  return {
    stop() {
      clearInterval(timer);
      return megabytes;
    },
  };
}

await main();
