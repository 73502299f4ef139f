import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError, place, readData, type Reply, send, url } from "@/e2e/api/server";
import { withAccess } from "@/e2e/support/access";
import { INGEST_TOKEN } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { SimulatedTerminal } from "@/lib/feeds/mt5/terminal.fixture";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

interface Row {
  readonly id: string;
  readonly datetime: string;
  readonly actual: string | null;
  readonly forecast: string;
  readonly impact: string;
  readonly source: string;
  readonly series_id: string | null;
  readonly history: readonly { field: string; before: string | null; after: string | null; origin: string }[];
}

const UNSET = "-9223372036854775808";
/** Before all that other files read: their answers stay the same while these tests run. */
const releaseMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 40 * DAY_MS;
/** Formats a time of a trade server three hours ahead of UTC. */
const serverTime = (ms: number) =>
  new Date(ms + 3 * HOUR_MS).toISOString().slice(0, 19).replaceAll("-", ".").replace("T", " ");

const event = { id: "276030005", name: "Terminal PMI", currency: "EUR", importance: 3, digits: 1 };
const value = {
  ...{ id: "190001", event_id: event.id, time: serverTime(releaseMs), period: "2026.10.01 00:00:00", revision: 0 },
  ...{ actual_value: UNSET, prev_value: "49300000", revised_prev_value: UNSET, forecast_value: "49500000" },
};

const push = (body: unknown, token: string | null = INGEST_TOKEN): Promise<Reply> =>
  send("/ingest/v1/mt5/calendar", {
    method: "POST",
    key: null,
    headers: { "Content-Type": "application/json", ...(token === null ? {} : { "X-Ingest-Token": token }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const pushValues = async (values: unknown[], more = {}) => {
  const body = { server: "Broker-Live", utc_offset_s: 10_800, events: [event], values, ...more };
  return readData<{ created: number; changed: number; refused: { id: string }[] }>(await push(body));
};
const readRows = async () => {
  const [from, to] = [-3, 21].map((hours) => new Date(releaseMs + hours * HOUR_MS).toISOString());
  const search = `from=${from}&to=${to}&q=${encodeURIComponent(event.name)}&include=history`;
  return readData<{ events: Row[] }>(await send(`/v1/calendar?${search}`)).events;
};

test("A release, its figure and its move to another time are one row", async () => {
  expect(await pushValues([value])).toEqual({ created: 1, changed: 0, refused: [] });
  await expect.poll(async () => (await readRows()).length).toBe(1);
  const [scheduled] = await readRows();
  expect(scheduled).toMatchObject({
    ...{ datetime: `${new Date(releaseMs).toISOString().slice(0, 19)}+00:00`, forecast: "49.5", impact: "high" },
    ...{ actual: null, source: "primary", series_id: event.id, history: [] },
  });

  expect(await pushValues([value])).toEqual({ created: 0, changed: 0, refused: [] });
  expect(await pushValues([{ ...value, actual_value: "50100000" }])).toMatchObject({ changed: 1 });
  await expect.poll(async () => (await readRows())[0]?.actual).toBe("50.1");
  expect(await pushValues([value])).toMatchObject({ changed: 0 });
  expect(await pushValues([{ ...value, time: serverTime(releaseMs + HOUR_MS) }])).toMatchObject({ changed: 1 });
  const later = `${new Date(releaseMs + HOUR_MS).toISOString().slice(0, 19)}+00:00`;
  await expect.poll(async () => (await readRows())[0]?.datetime).toBe(later);
  const [moved, another] = await readRows();
  expect(another).toBeUndefined();
  expect(moved).toMatchObject({
    ...{ id: scheduled?.id, actual: "50.1" },
    history: [
      { field: "actual", before: null, after: "50.1", origin: "Broker-Live" },
      { field: "time", origin: "Broker-Live" },
    ],
  });
});

test("Invalid values of a push are refused by id and the others are stored", async () => {
  const { refused } = await pushValues([
    { ...value, id: "190002", event_id: "1" },
    { ...value, id: "190003", time: "soon" },
  ]);
  expect(refused.map(({ id }) => id)).toEqual(["190002", "190003"]);
});

test("A push without the right token is refused", async () => {
  for (const token of [null, "", "wrong", `${INGEST_TOKEN} `.repeat(2)]) {
    expectError(await push({}, token), 401, "INVALID_TOKEN");
  }
});

test.each([
  ["An empty body", ""],
  ["Invalid JSON", "{"],
  ["An array", "[]"],
  ["An offset that is no multiple of 15 minutes", { server: "x", utc_offset_s: 1, events: [], values: [] }],
  ["An invalid currency", { server: "x", utc_offset_s: 0, events: [{ ...event, currency: "euro" }], values: [] }],
  [
    "A value that is no whole number",
    { server: "x", utc_offset_s: 0, events: [event], values: [{ ...value, actual_value: "1e6" }] },
  ],
])("%s is refused", async (_, body) => expectError(await push(body), 400, "VALIDATION_ERROR"));

test("A push of more than four megabytes is refused", async () => {
  expectError(await push(" ".repeat(4_000_001)), 413, "PAYLOAD_TOO_LARGE");
});

describe("ticks of a terminal", () => {
  const PATH = "/ingest/v1/mt5/ticks";
  let token = { id: "", secret: "" };
  // No instrument has this name, so that the prices of other tests stay as they are.
  const ea = new SimulatedTerminal({ bootId: "api-test", symbol: "NOBODY£", startMs: Date.now(), offsetMs: HOUR_MS });
  const pushTicks = (body: unknown, secret = token.secret): Promise<Reply> =>
    send(PATH, {
      ...{ method: "POST", key: null },
      headers: { "Content-Type": "application/json", "X-Ingest-Token": secret },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    } as RequestInit & { key: null });

  beforeAll(async () => {
    token = await withAccess(place, ({ ingestTokens }) => ingestTokens.create("api-test", OPERATOR_CLI));
  });
  afterAll(() => withAccess(place, ({ ingestTokens }) => ingestTokens.end(token.id, OPERATOR_CLI).catch(() => {})));

  test("A new token is accepted within a moment, and only for what it is for", async () => {
    await expect.poll(async () => (await pushTicks("{")).status, { timeout: 15_000 }).toBe(400);
    for (const other of ["", "wrong", INGEST_TOKEN]) expectError(await pushTicks({}, other), 401, "INVALID_TOKEN");
    expectError(await push("", token.secret), 400, "VALIDATION_ERROR");
  });

  test("A batch is acknowledged, sent again without effect, and a gap is named", async () => {
    const [first, second] = [ea.next(), ea.next()];
    expect(readData(await pushTicks(first))).toMatchObject({ ack: 1, repeated: false, clock: "unknown" });
    expect(readData(await pushTicks(second))).toMatchObject({ ack: 2, repeated: false });
    expect(readData(await pushTicks(second))).toMatchObject({ ack: 2, repeated: true });
    ea.skip(3);
    expect(readData(await pushTicks(ea.next()))).toMatchObject({ ack: 6, expected: 3, repeated: false });
    expectError(await pushTicks({ ...first, ticks: [] }), 422, "VALIDATION_ERROR");
  });

  test("A name in the code page of Windows is read", async () => {
    const body = Buffer.from(JSON.stringify(ea.next()), "latin1");
    expect(body.includes(0xa3)).toBe(true);
    expect(readData(await pushTicks(body))).toMatchObject({ repeated: false });
  });

  test("A body that ends in the middle stores nothing", async () => {
    const batch = ea.next();
    const body = JSON.stringify(batch);
    await sendHalf(url, token.secret, body);
    expect(readData(await pushTicks(body))).toMatchObject({ ack: batch.seq, repeated: false });
    expectError(await pushTicks(body.slice(0, -9)), 400, "VALIDATION_ERROR");
  });

  test.each([
    ["no ticks", { boot_id: "a", seq: 1, sent_gmt: 1 }],
    ["an invalid run", { boot_id: "a b", seq: 1, sent_gmt: 1, ticks: [] }],
    ["too many ticks", { boot_id: "a", seq: 1, sent_gmt: 1, ticks: Array(5_001).fill({ s: "X", b: 1, a: 1, t: 1 }) }],
  ])("A batch with %s is refused", async (_, body) => expectError(await pushTicks(body), 400, "VALIDATION_ERROR"));

  test("A batch of more than two megabytes is refused, and one without a token is not read", async () => {
    expectError(await pushTicks(" ".repeat(2_000_001)), 413, "PAYLOAD_TOO_LARGE");
    expectError(await pushTicks(" ".repeat(2_000_001), "wrong"), 401, "INVALID_TOKEN");
  });

  test("An ended token is refused within a moment, and its use is known", async () => {
    const { id, secret } = token;
    const listed = await withAccess(place, ({ ingestTokens }) => ingestTokens.list());
    expect(listed.find((each) => each.id === id)?.lastUsedAtMs).toBeGreaterThan(0);
    expect(JSON.stringify(listed)).not.toContain(secret);
    await withAccess(place, ({ ingestTokens }) => ingestTokens.end(id, OPERATOR_CLI));
    await expect.poll(async () => (await pushTicks("{")).status, { timeout: 15_000 }).toBe(401);
  });
});

/** Sends the first half of a body and hangs up. */
function sendHalf(url: string, token: string, body: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      const head = [
        "POST /ingest/v1/mt5/ticks HTTP/1.1",
        `Host: ${hostname}:${port}`,
        `X-Ingest-Token: ${token}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ];
      socket.end(`${head.join("\r\n")}\r\n\r\n${body.slice(0, body.length / 2)}`);
    });
    socket
      .on("error", reject)
      .on("close", () => resolve())
      .resume();
  });
}
