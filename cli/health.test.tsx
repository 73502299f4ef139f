import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { status as statusCommand } from "@/cli/commands/status";
import { examine } from "@/cli/doctor";
import { StatusFacts } from "@/features/status/status-view";
import { createCors } from "@/lib/api/engine/cors";
import type { Services } from "@/lib/api/engine/services";
import { createNodeHost } from "@/lib/api/node-host";
import { type Health, joinComponents } from "@/lib/api/service/health-check";
import type { StatusData } from "@/lib/pages/status-data";

/** The places that show the health of a server: they must agree. */

const health: Health = joinComponents({
  database: { status: "ok", detail: "" },
  recording: { status: "down", detail: "nothing was written for 20 s" },
  clock: { status: "degraded", detail: "the system clock was set" },
});
const recorder = {
  recorded: 0,
  merged: 0,
  repeated: 0,
  tooLate: 5_048,
  dropped: 0,
  setAside: 0,
  standbyFor: null,
  silenceMs: 20_000,
};
const vitals = { delayMs: { p50: 0, p99: 0, max: 0 }, residentBytes: 1, heapBytes: 1, uptimeS: 60 };
const data: StatusData & { status: object } = {
  nowMs: Date.UTC(2026, 0, 15, 12),
  status: {
    health,
    feeds: [],
    reload: { request: 0, change: null, error: null },
    terminals: [],
    recorder,
    backfill: { phase: "done", done: 1, total: 1 },
    traffic: { seconds: [], statuses: { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 }, endpoints: [], keys: [] },
    vitals,
  },
  keys: [],
  streams: 0,
  pages: vitals,
  database: { kind: "embedded", bytes: null },
};

let server: Server;
let env: Record<string, string>;
const before = { ...process.env };
beforeAll(async () => {
  const cors = createCors(null, { hasOrigin: () => false });
  const services = { now: Date.now, noteCall: () => {}, cors, readHealth: () => health };
  const api = createNodeHost(services as unknown as Services, { trustedProxies: { count: 0, addresses: null } });
  server = createServer((request, response) => {
    if (request.url === "/status/data") response.end(JSON.stringify(data));
    else api(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  env = { PORT: String(port), SPOTLINE_DATA_DIR: join(tmpdir(), "no-such-folder"), NEXTAUTH_SECRET: "s".repeat(32) };
  Object.assign(process.env, env);
});
afterAll(() => {
  for (const name of Object.keys(env)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  server.close();
});

test("/health, /ready, doctor, status and the status page show the same health", async () => {
  const fetched = await Promise.all(["/health", "/ready"].map((path) => fetch(`http://127.0.0.1:${env.PORT}${path}`)));
  expect(fetched.map(({ status }) => status)).toEqual([200, 503]);
  const components = { database: { status: "ok" }, recording: { status: "down" }, clock: { status: "degraded" } };
  for (const answer of fetched) expect(await answer.json()).toEqual({ status: "down", components });
  const finding = (await examine(env)).find(({ check }) => check === "server");
  expect(finding).toMatchObject({
    state: "wrong",
    detail: expect.stringMatching(/\/health says down; recording down; clock degraded$/) as string,
  });
  const printed = await statusCommand.run({ options: {}, words: [] } as never);
  const text = "down; recording down: nothing was written for 20 s; clock degraded: the system clock was set";
  expect(printed.text).toContain(`Health: ${text}.`);
  expect(printed.json).toMatchObject({ health });
  expect(renderToStaticMarkup(<StatusFacts status={data.status} data={data} />)).toContain(text);
});
