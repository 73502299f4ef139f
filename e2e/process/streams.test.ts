import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Caller, joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { readQuotes, readSome } from "@/e2e/process/stream-callers";
import { type EventStream, openEvents } from "@/e2e/support/event-client";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { KeyChanges } from "@/lib/access/keys/keys";

/** Streams of prices as server-sent events, over sockets of a whole server. */

const PATH = "/v1/stream?symbols=EURUSD,GBPUSD,USDJPY";
let spotline: SharedServer;
const opened: EventStream[] = [];

beforeAll(async () => {
  spotline = await joinSharedServer();
});
afterAll(() => spotline.leave());
afterEach(() => opened.splice(0).forEach((stream) => stream.close()));

const createCaller: SharedServer["createCaller"] = (...options) => spotline.createCaller(...options);

async function open(key: string, path = PATH, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const stream = await openEvents(spotline.url + path, { "X-API-Key": key, ...headers });
  opened.push(stream);
  return stream;
}

const countEvents = ({ events }: EventStream, name: string) => events.filter((event) => event.name === name).length;
const readEnd = ({ events }: EventStream) =>
  (events.find(({ name }) => name === "end")?.data as { error: { code: string } } | undefined)?.error.code;
const readError = (stream: EventStream) =>
  (JSON.parse(stream.text()) as { success: boolean; error: Readonly<Record<string, unknown>> }).error;

describe("A stream of events", () => {
  test("begins with a snapshot, then agrees with /v1/quote in every field", async () => {
    const { key } = await createCaller();
    const stream = await open(key);
    expect(stream.status).toBe(200);
    expect(stream.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "private, no-store",
      "x-ratelimit-limit": "6000",
    });
    await vi.waitFor(() => expect(countEvents(stream, "quote")).toBeGreaterThan(3), 15_000);
    expect(stream.events[0]?.name).toBe("snapshot");
    await vi.waitFor(
      async () =>
        expect(stream.holding.quotes).toEqual(await readQuotes(spotline, key, ["EURUSD", "GBPUSD", "USDJPY"])),
      { timeout: 15_000, interval: 30 },
    );
    expect(stream.holding.states.get("EURUSD")).toMatch(/^(live|delayed|stale|closed)$/);
  });

  test("ignores an unknown parameter, and names it", async () => {
    const stream = await open((await createCaller()).key, `${PATH}&colour=red`);
    expect([stream.status, stream.response.headers["x-ignored-params"]]).toEqual([200, "colour"]);
  });

  test("needs the scope of quotes and no other", async () => {
    const stream = await open((await createCaller("free", { scopes: ["quotes"] })).key);
    expect(stream.status).toBe(200);
  });

  test("has every symbol of the key without symbols, and every spelling of one", async () => {
    const { key } = await createCaller("enterprise", { symbols: ["commodities", "XAUUSD"] });
    const all = await open(key, "/v1/stream");
    await vi.waitFor(() => expect(all.events.length).toBeGreaterThan(0));
    expect(all.holding.states.has("XAUUSD")).toBe(true);
    expect(all.holding.states.has("EURUSD")).toBe(false);
    const spelled = await open(key, "/v1/stream?symbols=GOLD,XAUUSD");
    await vi.waitFor(() => expect(spelled.events.length).toBeGreaterThan(0));
    expect([...spelled.holding.states.keys()]).toEqual(["XAUUSD"]);
  });

  test("continues after a kill at any byte with what has changed", async () => {
    const { key } = await createCaller();
    const path = "/v1/stream";
    const first = await open(key, path);
    await vi.waitFor(() => expect(countEvents(first, "quote")).toBeGreaterThan(20), 15_000);
    const { holding, parser } = first;
    for (let cut = 0; cut < 6; cut++) {
      const bytes = await readSome(spotline.url, path, key, parser.lastId, 40 + cut * 977);
      for (const event of parser.push(bytes)) holding.apply(event);
      parser.dropRest();
    }
    const last = await open(key, path, { "Last-Event-ID": parser.lastId ?? "" });
    const fresh = await open(key, path);
    await vi.waitFor(
      () => {
        expect(last.holding.quotes.size).toBeGreaterThan(0);
        const merged = new Map([...holding.quotes, ...last.holding.quotes]);
        expect(merged).toEqual(fresh.holding.quotes);
      },
      { timeout: 15_000, interval: 5 },
    );
    expect(countEvents(last, "snapshot")).toBe(0);
  });
});

describe("A stream is refused like any other call", () => {
  test.each([
    ["without a key", "", "/v1/stream", 401, "MISSING_API_KEY"],
    ["with a key in its address", "", "/v1/stream?key=fxk_live_x&api_key=fxk_live_x", 401, "MISSING_API_KEY"],
    ["with a key that is not valid", "nonsense", "/v1/stream", 401, "INVALID_API_KEY"],
    ["for a symbol that is not known", "full", "/v1/stream?symbols=EURUSD,NOPE1", 404, "SYMBOL_NOT_FOUND"],
    ["for an empty list", "full", "/v1/stream?symbols=", 400, "NO_SYMBOLS"],
    ["for a parameter of another service", "full", "/v1/stream?instruments=EUR_USD", 400, "VALIDATION_ERROR"],
    ["for a repeated parameter", "full", "/v1/stream?symbols=EURUSD&symbols=GBPUSD", 400, "VALIDATION_ERROR"],
  ])("%s", async (_, kind, path, status, code) => {
    const key = kind === "full" ? (await createCaller()).key : kind;
    const stream = await openEvents(spotline.url + path, key === "" ? {} : { "X-API-Key": key });
    await stream.ended;
    expect([stream.status, readError(stream)]).toMatchObject([status, { code }]);
  });

  test.each([
    ["scopes", { scopes: ["indicators"] }, "PERMISSION_DENIED"],
    ["endpoints", { endpoints: ["/v1/quote"] }, "PERMISSION_DENIED"],
    ["symbols", { symbols: ["XAUUSD"] }, "PERMISSION_DENIED"],
    ["addresses", { addresses: ["203.0.113.0/24"] }, "IP_NOT_ALLOWED"],
  ])("for a key without the %s", async (_, rest, code) => {
    const { key } = await createCaller("enterprise", rest);
    const stream = await open(key);
    await stream.ended;
    expect([stream.status, readError(stream)]).toMatchObject([403, { code }]);
  });

  test("above the symbols and the streams of its plan", async () => {
    const { key } = await createCaller("free");
    const six = await open(key, "/v1/stream?symbols=EURUSD,GBPUSD,USDJPY,AUDUSD,NZDUSD,USDCAD");
    await six.ended;
    expect([six.status, readError(six)]).toMatchObject([403, { code: "PLAN_UPGRADE_REQUIRED", limit: 5 }]);
    const first = await open(key);
    const second = await open(key);
    await second.ended;
    expect([second.status, readError(second)]).toMatchObject([429, { code: "TOO_MANY_STREAMS", limit: 1 }]);
    expect(second.response.headers["retry-after"]).toBe("60");
    first.close();
    await vi.waitFor(async () => expect((await open(key)).status).toBe(200), { timeout: 2_000, interval: 100 });
  });

  test("and HEAD opens none", async () => {
    const { key } = await createCaller("free");
    for (let call = 0; call < 3; call++) {
      const head = await fetch(spotline.url + PATH, { method: "HEAD", headers: { "X-API-Key": key } });
      expect(head.status).toBe(200);
    }
    expect((await open(key)).status).toBe(200);
  });
});

describe("A stream ends within a second", () => {
  const update = (id: string, changes: KeyChanges) =>
    spotline.change(({ keys }) => keys.update(id, changes, OPERATOR_CLI));
  const changes: [what: string, change: (caller: Caller) => Promise<unknown>, code: string][] = [
    ["the revocation of its key", ({ id }) => spotline.revoke(id), "API_KEY_DISABLED"],
    ["the end of its scope", ({ id }) => update(id, { scopes: ["indicators"] }), "PERMISSION_DENIED"],
    ["a new allow-list", ({ id }) => update(id, { addresses: ["203.0.113.7"] }), "IP_NOT_ALLOWED"],
    ["fewer symbols", ({ id }) => update(id, { symbols: ["XAUUSD"] }), "PERMISSION_DENIED"],
    [
      "a smaller plan",
      ({ email }) => spotline.cli("account", "set-plan", "--email", email, "--plan", "free"),
      "PLAN_UPGRADE_REQUIRED",
    ],
    [
      "the suspension of its account",
      ({ accountId }) => spotline.change(({ accountStatus }) => accountStatus.setSuspended(accountId, true)),
      "ACCOUNT_SUSPENDED",
    ],
  ];

  test.each(changes)("of %s", async (_, change, code) => {
    const caller = await createCaller();
    const stream = await open(caller.key, "/v1/stream?symbols=EURUSD,GBPUSD,USDJPY,AUDUSD,NZDUSD,USDCAD");
    await change(caller);
    const sinceMs = performance.now();
    await stream.ended;
    // On a busy machine this client is late, too.
    expect(performance.now() - sinceMs).toBeLessThan(1_500);
    expect(readEnd(stream)).toBe(code);
    expect(stream.parser.retryMs).toBeGreaterThan(0);
  });

  test("of the moment at which its key expires", async () => {
    const { id, key } = await createCaller();
    const stream = await open(key);
    // The server has to load it before, which takes a second.
    const expiresAtMs = Date.now() + 4_000;
    await update(id, { expiresAtMs });
    await stream.ended;
    expect(Date.now() - expiresAtMs).toBeGreaterThanOrEqual(0);
    expect(Date.now() - expiresAtMs).toBeLessThan(1_500);
    expect(readEnd(stream)).toBe("API_KEY_EXPIRED");
  });
});
