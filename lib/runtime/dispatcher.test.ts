import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperatorTickets } from "@/lib/access/sign-in/tickets";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { createDispatcher, createStatusHost } from "@/lib/runtime/dispatcher";
import { MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();

const nowMs = Date.UTC(2026, 0, 15, 12);
const tickets = createOperatorTickets("the secret", () => nowMs);
let server: Server;
let url: string;

beforeAll(async () => {
  const parts = { database: testDatabase.db, directory: { key: () => undefined }, now: () => nowMs, log: silentLog };
  server = createServer(
    createStatusHost({ ...parts, operatorTickets: tickets, serverStatus: () => Promise.resolve(null) }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await testDatabase.cleanup();
});

const ask = (path: string, authorization: string | null, method = "GET") =>
  fetch(url + path, { method, headers: authorization === null ? {} : { authorization } });

test("A valid ticket gets the data of the status page, which nobody stores", async () => {
  const answer = await ask("/status/data", tickets.issue());
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const database = { kind: "postgresql", bytes: expect.any(Number) as number };
  expect(await answer.json()).toEqual({ nowMs, status: null, keys: [], streams: 0, pages: null, database });
});

test("A caller without a valid ticket gets the answer of any page that is not there", async () => {
  const expired = createOperatorTickets("the secret", () => nowMs - MINUTE_MS).issue();
  const foreign = createOperatorTickets("another secret", () => nowMs).issue();
  const refusal = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: object };
    return [answer.status, error];
  };
  const absent = await refusal(await ask("/sign-in", null));
  expect(absent).toMatchObject([404, { code: "NOT_FOUND" }]);
  for (const authorization of [null, "", "Bearer", "Bearer x", `${tickets.issue()}x`, expired, foreign]) {
    expect(await refusal(await ask("/status/data", authorization)), String(authorization)).toEqual(absent);
  }
  for (const path of ["/status", "/status/data/", "/Status/data", "/x/../status%2fdata"]) {
    expect(await refusal(await ask(path, tickets.issue())), path).toEqual(absent);
  }
  expect((await ask("/status/data", tickets.issue(), "POST")).status).toBe(404);
});

test.each([
  ["POST", {}, "api"],
  ["POST", { accept: "application/json" }, "api"],
  ["PUT", { accept: "*/*", "x-api-key": "k", origin: "https://other.example" }, "api"],
  ["DELETE", { authorization: "Bearer k", origin: "https://other.example" }, "api"],
  ["POST", { accept: "text/html,*/*;q=0.8" }, "pages"],
  ["POST", { accept: "*/*", origin: "https://other.example" }, "pages"],
  ["POST", { accept: "text/x-component", "next-action": "a" }, "pages"],
  ["GET", { accept: "*/*", "x-api-key": "k" }, "pages"],
  ["OPTIONS", { accept: "*/*" }, "pages"],
])("%s /quotes with %j is answered by the %s", (method, headers, expected) => {
  const answered: string[] = [];
  const dispatch = createDispatcher(
    () => void answered.push("api"),
    () => void answered.push("pages"),
    () => false,
  );
  dispatch({ method, url: "/quotes", headers } as unknown as IncomingMessage, {} as ServerResponse);
  expect(answered).toEqual([expected]);
});
