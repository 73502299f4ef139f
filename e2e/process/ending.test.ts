import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { joinServer, withAccess } from "@/e2e/support/access";
import { openEvents } from "@/e2e/support/event-client";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createPlace } from "@/e2e/support/prepared-past";
import { HOST_COMMANDS, type Place, type Spotline, type SpotlineOptions, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** How a server begins and ends: its port, signals, and errors that nothing handles. */

/** Starting and stopping takes a minute on a busy machine. */
const OPTIONS = { timeout: 240_000 };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(options: SpotlineOptions = {}) {
  const { place, remove } = await createPlace();
  undo.push(remove);
  const server = await startTestServer({ ...options, env: { ...simulateFewPrices(), ...options.env, ...place } });
  undo.push(server.stop);
  const { id, secret: key } = await withAccess(place, async ({ accounts, keys }) => {
    const owner = { email: "owner@example.com", password: "correct horse battery", plan: "enterprise" } as const;
    const { id: accountId } = await accounts.create(owner, OPERATOR_CLI);
    return keys.create({ accountId, label: "test", scopes: ["all"] });
  });
  return { server, place, id, key };
}

/** Calls on one connection, one after another, until an answer announces its end. Returns the answers; rejects if cut. */
function callUntilClosed(url: string, key: string, onAnswer: () => void): Promise<string[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const answers: string[] = [];
    let received = "";
    const call = `GET /v1/quote?symbol=EURUSD HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;
    const socket: Socket = connect(Number(port), hostname, () => socket.write(call));
    socket.on("data", (chunk) => {
      received += chunk.toString();
      const [, head = "", length = ""] = /^([^]*?Content-Length: (\d+)[^]*?\r\n\r\n)/i.exec(received) ?? [];
      if (head === "" || received.length < head.length + Number(length)) return;
      answers.push(received);
      onAnswer();
      received = "";
      if (/^Connection: close/im.test(head)) resolve(answers);
      else socket.write(call);
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the connection was closed after ${answers.length} answers`)));
  });
}

/** Opens a stream of events and a WebSocket. `expectEnd` expects both to say why they end, and when to come back. */
async function openStreams({ url }: Spotline, key: string) {
  const stream = await openEvents(`${url}/v1/stream?symbols=EURUSD`, { "X-API-Key": key });
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/v1/quotes`, { headers: { "X-API-Key": key } });
  const messages: string[] = [];
  socket.on("message", (data: Buffer) => messages.push(data.toString()));
  const closed = once(socket, "close");
  await once(socket, "open");
  return {
    async expectEnd(): Promise<void> {
      await stream.ended;
      expect((await closed)[0]).toBe(1_001);
      expect(messages.at(-1)).toMatch(
        /^\{"type":"end","retry_ms":\d+,"success":false,"error":\{"code":"SERVICE_UNAVAILABLE"/,
      );
      expect(stream.events.at(-1)).toMatchObject({ name: "end", data: { error: { code: "SERVICE_UNAVAILABLE" } } });
      expect(stream.parser.retryMs).toBeGreaterThanOrEqual(1_000);
    },
  };
}

async function readCalls(place: Place, keyId: string): Promise<number> {
  const database = await joinServer(place);
  try {
    const { rows } = await database.pool.query<{ calls: number }>(
      "SELECT coalesce(sum(calls), 0)::float8 AS calls FROM usage_hour WHERE key_id = $1 AND status = 200 AND endpoint = '/v1/quote'",
      [keyId],
    );
    return rows[0]?.calls ?? 0;
  } finally {
    await database.close();
  }
}

// Ending the pages is the same work at either signal.
describe.each([
  ["SIGTERM", {}],
  ["SIGHUP", WITHOUT_PAGES],
] as const)("At %s", (signal, roles) => {
  test(
    "no busy connection is cut, /ready says so first, streams end with a reason, and every call is counted",
    OPTIONS,
    async () => {
      const { server, place, id, key } = await start({ env: { SPOTLINE_STOP_DELAY_MS: "1500", ...roles } });
      const streams = await openStreams(server, key);
      let answered = 0;
      const busy = Array.from({ length: 16 }, () => callUntilClosed(server.url, key, () => void answered++));
      const stopping = expect
        .poll(() => fetch(`${server.url}/ready`).then(async (answer) => [answer.status, await answer.json()]), {
          interval: 20,
          timeout: 60_000,
        })
        .toEqual([503, { status: "down", components: { stopping: { status: "down" } } }]);
      await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(100);
      process.kill(server.pid, signal);
      await stopping;
      const stoppingAtMs = performance.now();
      await streams.expectEnd();
      // Connections that do not end by themselves are closed after eight seconds.
      expect(performance.now() - stoppingAtMs).toBeLessThan(6_500);
      const answers = (await Promise.all(busy)).flat();
      expect(await server.stop()).toBe(0);
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(await readCalls(place, id)).toBe(answers.length);
    },
  );
});

/** A module that raises an error at a signal, as a fault of the program would. */
const FAULTS = `data:text/javascript,${encodeURIComponent(
  `process.on("SIGUSR2", () => { throw new Error("made by a test"); });
   process.on("SIGCONT", () => { void Promise.reject(Object.assign(new Error("made"), { code: "ECONNREFUSED" })); });
   process.on("SIGALRM", () => { void Promise.reject(new Error("made by a test")); });`,
)}`;

test.each([
  ["an exception", "SIGUSR2", "uncaughtException"],
  ["a rejected promise", "SIGALRM", "unhandledRejection"],
] as const)(
  "%s that nothing handles ends the server with code 1, and no call is lost",
  OPTIONS,
  async (_, signal, origin) => {
    const { server, place, id, key } = await start({
      command: ["--import", FAULTS, ...HOST_COMMANDS.node],
      env: WITHOUT_PAGES,
    });
    // One because the database is away ends nothing.
    process.kill(server.pid, "SIGCONT");
    await expect.poll(() => server.output()).toContain("the database was away for work that nothing waits for");
    for (let call = 0; call < 3; call++) {
      const answer = await fetch(`${server.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    process.kill(server.pid, signal);
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(new RegExp(`"level":60.*made by a test.*"origin":"${origin}","fault":1`));
    expect(await readCalls(place, id)).toBe(3);
  },
);

describe("A server that cannot start says why in one sentence, within a few seconds", () => {
  test.each([
    [
      "its port is in use",
      async () => {
        const other = createServer().listen(0, "127.0.0.1");
        undo.push(() => other.close());
        await new Promise((resolve) => other.once("listening", resolve));
        return { PORT: String((other.address() as { port: number }).port) };
      },
      /^Port \d+ of 127\.0\.0\.1 is in use by another program\. Stop it, or set PORT to a free port\.\n$/,
    ],
    [
      "a name is mistyped",
      () => ({ SPOTLINE_FED: "replay" }),
      /^The configuration is not valid:\n {2}SPOTLINE_FED: is not a setting; did you mean SPOTLINE_FEED\?\n$/,
    ],
    [
      "there is no feed of that kind",
      () => ({ SPOTLINE_FEED: "carrier-pigeon" }),
      /^The configuration is not valid:\n {2}SPOTLINE_FEED: must be simulated.*\n$/,
    ],
    [
      "its data folder is a file",
      () => ({ SPOTLINE_DATA_DIR: "package.json" }),
      /^The data folder \S+package\.json cannot be used: it is a file\. Set SPOTLINE_DATA_DIR to another\.\n$/,
    ],
    [
      "its folder of recordings does not exist",
      () => ({ SPOTLINE_FEED: "replay", SPOTLINE_REPLAY_DIR: "/no/such/folder" }),
      /^The configuration is not valid:\n {2}SPOTLINE_FEED: replay\.dir: there is no folder \/no\/such\/folder\n$/,
    ],
  ])("when %s", OPTIONS, async (reason, settings, sentence) => {
    const dataDir = await mkdtemp(join(tmpdir(), "spotline-"));
    undo.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const base = { PATH: process.env.PATH, NODE_ENV: "production", SPOTLINE_LOG_LEVEL: "silent" } as const;
    const env: NodeJS.ProcessEnv = {
      ...base,
      PORT: String(await findFreePort()),
      SPOTLINE_DATA_DIR: dataDir,
      ...(await settings()),
    };
    const child = spawn(process.execPath, HOST_COMMANDS.node, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(1);
    expect(output.replace(/^Spotline could not start: /, "")).toMatch(sentence);
    // The port is tried before anything else starts, such as the database.
    if (reason === "its port is in use" || reason === "its folder of recordings does not exist") {
      expect(await readdir(dataDir)).toEqual([]);
    }
  });
});

test("A server answers 503 in the documented form while it starts", OPTIONS, async () => {
  const port = await findFreePort();
  const answers = new Set<string>();
  const starting = startTestServer({ port, env: { ...simulateFewPrices(), ...WITHOUT_PAGES } });
  let started: Spotline | null = null;
  void starting.then((server) => (started = server));
  while (started === null) {
    await fetch(`http://127.0.0.1:${port}/v1/quote`)
      .then(async (answer) => answers.add(`${answer.status} ${await answer.text()}`))
      .catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  undo.push((await starting).stop);
  expect([...answers][0]).toBe(
    '503 {"success":false,"error":{"code":"SERVICE_UNAVAILABLE","message":"The server is starting."}}',
  );
});
