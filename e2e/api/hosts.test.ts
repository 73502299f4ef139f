import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ALLOWED_ORIGIN } from "@/e2e/api/global-setup";
import { JSON_HEADERS, makeCalls, sendCall, type SentCall } from "@/e2e/examples/calls";
import { makeErrorCalls } from "@/e2e/examples/errors";
import { createExampleKeys, type ExampleKeys } from "@/e2e/examples/keys";
import { joinServer, withAccess } from "@/e2e/support/access";
import { type RawReply, sendBytes } from "@/e2e/support/raw-request";
import { HOST_COMMANDS, INGEST_TOKEN, type Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { createSignedIds, LINK_TOKENS } from "@/lib/access/keys/signed-ids";
import { loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { spellPath } from "@/lib/api/path-spellings.fixture";
import { endpoints } from "@/lib/api/registry";
import { UDF_PATH } from "@/lib/api/udf/udf-endpoint";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * Next's route handlers answer as our own host does, byte for byte. One server has both hosts, with the same prices and the
 * same database; each host gets the same calls, with the keys of an account of its own.
 */

type OnBoth<Value> = Record<"node" | "next", Value>;

/** A price may change between two answers, so reads are repeated until both are the same. */
const MOST_ATTEMPTS = 25;

let server: Spotline;
let keys: OnBoth<ExampleKeys>;
let links: OnBoth<{ readonly csv: string; readonly udf: string }>;

beforeAll(async () => {
  server = await startTestServer({ env: { SPOTLINE_CORS_ORIGINS: ALLOWED_ORIGIN }, command: HOST_COMMANDS.next });
  keys = await onBoth((host) => createExampleKeys(server.place, `${host}.example`));
  links = await onBoth((host) => createLinks(`you@${host}.example`));
  // The expiring keys end.
  await new Promise((resolve) => setTimeout(resolve, 2 * SECOND_MS));
}, 120_000);
afterAll(() => server.stop());

async function onBoth<Value>(make: (host: keyof OnBoth<Value>) => Promise<Value>): Promise<OnBoth<Value>> {
  return { node: await make("node"), next: await make("next") };
}

function createLinks(email: string) {
  return withAccess(server.place, async ({ accounts, keys: service, links: linkService }) => {
    const accountId = (await accounts.findByEmail(email))?.id ?? "";
    const key = await service.create({ accountId, label: "sheet", scopes: ["all"] });
    const owner = { kind: "owner", accountId, confirmed: true } as const;
    const database = await joinServer(server.place);
    const tokens = createSignedIds(await loadSessionSecret(database), LINK_TOKENS);
    await database.close();
    const create = async (path: string, query: string) =>
      tokens.createToken((await linkService.create(key.id, { path, query }, owner)).id);
    return { csv: await create("/v1/symbols", "category=metals"), udf: await create(UDF_PATH, "") };
  });
}

/** Has a host answer what is sent next. */
const choose = (host: string) => sendCall(server.url, { method: "GET", target: `/hosts/${host}`, headers: {} });

/** Headers of a connection, and of how a body is cut. */
const OF_CONNECTIONS = ["connection", "content-length", "date", "keep-alive", "transfer-encoding", "upgrade"];
/** Next adds them to what it answers at a path without a version, as to every page. */
const OF_PAGES =
  /^(content-security-policy|cross-origin-opener-policy|permissions-policy|referrer-policy|x-frame-options)$/;
/** Next varies its answers by them, and compresses them by itself. */
const OF_NEXT = /^(rsc|next-router-.+|accept-encoding)$/i;

/** What differs between two answers of the same host, by its exact form. */
const OWN_HEADERS: Readonly<Record<string, readonly [form: RegExp, shown: string]>> = {
  "x-request-id": [/^[\da-f]{32}$/, "{id}"],
  "x-quote-age-ms": [/^\d+$/, "{age}"],
  "x-ratelimit-remaining": [/^\d+$/, "{count}"],
  "x-ratelimit-reset": [/^\d+$/, "{seconds}"],
  "retry-after": [/^\d+$/, "{seconds}"],
  ratelimit: [/^"(minute|day)";r=\d+;t=\d+$/, '"$1";r={count};t={seconds}'],
  location: [/^\/v1\/export\/[\da-f-]{36}$/, "/v1/export/{id}"],
};
const OWN_PARTS: readonly (readonly [form: RegExp, shown: string])[] = [
  [/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, "{id}"],
  [/\bwhsec_[\w+/]{43}=/g, "{secret}"],
  [/\btoken=fxc_[\w-]{44}\b/g, "{token}"],
  [/"(created_at|current_time)":"[\d-]{10}T[\d:]{8}\.\d{3}Z"/g, '"$1":"{time}"'],
  [/"(reset_in_seconds|retry_after)":\d+/g, '"$1":{seconds}'],
  [/\byou@(node|next)\.example\b/g, "{mail}"],
];

function describeAnswer({ status, headers, body }: RawReply) {
  const shown = Object.entries(headers).flatMap(([name, value]) => {
    if (OF_CONNECTIONS.includes(name) || OF_PAGES.test(name)) return [];
    const text = String(value);
    const names = text.split(/, */).filter((each) => !OF_NEXT.test(each));
    if (name === "vary") return names.length === 0 ? [] : [[name, names.join(", ")]];
    const [form, own] = OWN_HEADERS[name] ?? [];
    return [[name, form === undefined || own === undefined ? text : text.replace(form, own)]];
  });
  const text = OWN_PARTS.reduce((read, [form, own]) => read.replaceAll(form, own), body);
  return { status, headers: Object.fromEntries(shown) as Record<string, string>, body: text };
}

/** Expects the same answer of both hosts. @param made the answers to the first calls, which are made here without them */
async function expectSame(calls: OnBoth<SentCall>, mayRepeat = true, made?: OnBoth<RawReply>): Promise<RawReply> {
  let replies = made;
  for (let attempt = 1; ; attempt++) {
    replies ??= await onBoth((host) => choose(host).then(() => sendCall(server.url, calls[host])));
    const [node, next] = [describeAnswer(replies.node), describeAnswer(replies.next)];
    if (!mayRepeat || attempt === MOST_ATTEMPTS || isDeepStrictEqual(next, node)) {
      const { method, target } = calls.node;
      expect({ method, target, ...next }).toEqual({ method, target, ...node });
      return replies.next;
    }
    replies = undefined;
  }
}

/** The same for many calls, which each host answers at once. */
async function expectAllSame(calls: readonly OnBoth<SentCall>[]): Promise<RawReply[]> {
  const sendAll = (host: keyof OnBoth<SentCall>) => Promise.all(calls.map((each) => sendCall(server.url, each[host])));
  const { node, next } = await onBoth((host) => choose(host).then(() => sendAll(host)));
  const compared: RawReply[] = [];
  for (const [index, each] of calls.entries())
    compared.push(await expectSame(each, true, { node: node[index] as RawReply, next: next[index] as RawReply }));
  return compared;
}

/** The same call with the key of each account, or with other headers. */
function callBoth(method: string, target: string, more: Partial<SentCall> & { key?: keyof ExampleKeys | null } = {}) {
  const { key = "full", headers, body } = more;
  const create = (host: keyof typeof keys): SentCall => ({
    ...{ method, target, body },
    headers: { ...(key === null ? {} : { "X-API-Key": keys[host][key] }), ...headers },
  });
  return { node: create("node"), next: create("next") };
}

/** Makes the calls of two lists in turn, each on its host. */
async function* zip<Made>(lists: OnBoth<AsyncGenerator<Made>>): AsyncGenerator<OnBoth<Made>> {
  for (;;) {
    const { node, next } = await onBoth((host) => choose(host).then(() => lists[host].next()));
    if (node.done === true || next.done === true) return expect([node.done, next.done]).toEqual([true, true]);
    yield { node: node.value, next: next.value };
  }
}

test("Both hosts answer every call of the documentation in the same way, now and as of a second of the past", async () => {
  const nowMs = Date.now();
  // The prepared past may be some hours old, and nothing fills the time since then.
  const at = new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - 7 * HOUR_MS).toISOString();
  const make = (host: keyof typeof keys) => makeCalls(server.url, keys[host].full, nowMs);
  const past: OnBoth<SentCall>[] = [];
  for await (const { node, next } of zip({ node: make("node"), next: make("next") })) {
    const calls = { node: node.sent, next: next.sent };
    const { asOf } = node.endpoint;
    const mayRepeat = node.sent.method === "GET" || asOf !== null;
    const { status } = await expectSame(calls, mayRepeat, { node: node.reply, next: next.reply });
    expect([node.sent.target, status]).toEqual([node.sent.target, node.operation === "postExport" ? 202 : 200]);
    if (asOf === null) continue;
    const target = `${node.sent.target}${node.sent.target.includes("?") ? "&" : "?"}at=${at}`;
    past.push({ node: { ...calls.node, target }, next: { ...calls.next, target } });
  }
  expect(past.length).toBeGreaterThan(20);
  await expectAllSame(past);
}, 120_000);

test("Both hosts answer every error that a caller can cause in the same way", async () => {
  const make = (host: keyof typeof keys) => makeErrorCalls(server.url, keys[host]);
  for await (const { node, next } of zip({ node: make("node"), next: make("next") })) {
    await expectSame({ node: node.sent, next: next.sent }, false, { node: node.reply, next: next.reply });
  }
}, 120_000);

test("Both hosts have every endpoint, with the same methods", async () => {
  const calls = endpoints.flatMap(({ method, path }) => {
    // A stream does not end.
    const target = path === "/v1/stream" ? `${path}?symbols=NOPE1` : path.replace(/\{\w+\}/, "EURUSD");
    return [callBoth(method, target, method === "GET" ? {} : { body: "{}", headers: JSON_HEADERS })];
  });
  for (const [index, { status, body }] of (await expectAllSame(calls)).entries()) {
    const isMissing = status === 405 || body.includes('"code":"NOT_FOUND"');
    expect([calls[index]?.node.target, isMissing]).toEqual([calls[index]?.node.target, false]);
  }
  const targets = new Set(calls.map(({ node }) => node.target));
  await expectAllSame(
    [...targets].flatMap((target) => ["HEAD", "OPTIONS", "PATCH"].map((method) => callBoth(method, target))),
  );
});

type HostCall = [method: string, target: string, more?: Parameters<typeof callBoth>[2]];
const get = (...targets: string[]) => targets.map((target): HostCall => ["GET", target]);
const PREFLIGHT = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-api-key" };
const HOSTILE =
  "%00 %0d%0aX-Injected:1 %ed%a0%80 __proto__ constructor ..%2f..%2fetc %F0%9F%92%B0 %25%25 %20 '%20or%201=1-- <script>".split(
    " ",
  );
const JSON_TEXTS = [
  "",
  "{",
  "[]",
  '{"symbols":',
  '{"symbols":["\\u0000","\\ud800"],"__proto__":1}',
  "x".repeat(1_000_000),
];
const ADDRESS_HEADERS = ["X-Forwarded-For", "X-Real-IP", "X-Client-IP", "CF-Connecting-IP", "True-Client-IP"];
const PUSH = "/ingest/v1/mt5/calendar";

test.each<[what: string, ...calls: HostCall[]]>([
  [
    "unknown paths",
    ...get("/v1", "/v1/nope", "/v1/quote/x", "/v1/symbols/a/b", "/v1/%00", "/v1/qoute", "/v2/quote", "/v10/ohlc"),
    ...get("/quote?symbol=EURUSD", "/spread/compare", "/udf/x", "/udf/a/x", "/csv/x/y"),
    ["OPTIONS", "/v1/nope"],
  ],
  [
    "encoded paths",
    ...get("/v1/%71uote?symbol=EURUSD", "/v1/symbols/EUR%2FUSD", "/v1/symbols/EUR%24USD", "/v1/symbols/%C3%A9"),
  ],
  [
    "hostile values in paths and queries",
    ...HOSTILE.flatMap((value) =>
      get(`/v1/symbols/${value}`, `/v1/quote?symbol=${value}&${value}=1`, `/v1/quote?symbol=EURUSD&source=${value}`),
    ),
    ...get("/v1/quote?symbol=%zz"),
  ],
  [
    "bodies of every kind",
    ...JSON_TEXTS.map((body): HostCall => ["POST", "/v1/quotes", { body, headers: JSON_HEADERS }]),
    ["POST", "/v1/quotes", { body: "{}", headers: { "Content-Type": "text/plain" } }],
    ["POST", "/v1/quotes", { body: "{}", headers: { ...JSON_HEADERS, "Content-Encoding": "gzip" } }],
    ["PUT", "/v1/monitor/layout", { body: '{"layout":[{"a":"£💹"}]}', headers: JSON_HEADERS }],
    ["GET", "/v1/quote?symbol=EURUSD", { body: "hello" }],
  ],
  [
    "pages of other origins",
    ...[ALLOWED_ORIGIN, "https://evil.example", "null"].flatMap((Origin): HostCall[] => [
      ["GET", "/v1/symbols/EURUSD", { headers: { Origin } }],
      ["GET", "/v1/quote?symbol=EURUSD", { key: null, headers: { Origin } }],
      ["GET", "/v1/symbols/EURUSD", { key: "pages", headers: { Origin } }],
      ["OPTIONS", "/v1/quote", { key: null, headers: { Origin, ...PREFLIGHT } }],
    ]),
  ],
  [
    "the headers of callers",
    ["GET", "/v1/symbols/EURUSD", { headers: { "X-Request-Id": "order-17.3" } }],
    ["GET", "/v1/symbols/EURUSD", { headers: { "X-Request-Id": "a b", traceparent: "00-nonsense" } }],
    ["GET", "/v1/symbols/EURUSD", { headers: { traceparent: `00-${"4b".repeat(16)}-${"a2".repeat(8)}-01` } }],
    ["GET", "/v1/symbols?limit=2", { headers: { Accept: "text/csv" } }],
    ["GET", "/v1/symbols/EURUSD", { key: "elsewhere", headers: { Forwarded: "for=203.0.113.7" } }],
    ...ADDRESS_HEADERS.map((name): HostCall => {
      return ["GET", "/v1/symbols/EURUSD", { key: "elsewhere", headers: { [name]: "203.0.113.7" } }];
    }),
  ],
  [
    "the calls of charts and sheets",
    ...get("/udf/config", "/udf/symbols?symbol=EURUSD", "/udf/symbols?symbol=NOPE1", "/csv/fxl_nonsense"),
    ...get("/udf/history?symbol=EURUSD&resolution=60"),
    ["GET", "/udf/config", { key: null }],
    ["POST", "/udf/config"],
  ],
  [
    "what a terminal pushes",
    ["POST", PUSH, { key: null, body: "{}", headers: JSON_HEADERS }],
    ...["", "{", " ".repeat(4_000_001)].map((body): HostCall => {
      return ["POST", PUSH, { key: null, body, headers: { ...JSON_HEADERS, "X-Ingest-Token": INGEST_TOKEN } }];
    }),
  ],
])("Both hosts answer %s in the same way", async (_, ...calls) => {
  const replies = await expectAllSame(calls.map(([method, target, more]) => callBoth(method, target, more)));
  for (const { status, headers } of replies) expect([status < 500, headers["x-injected"]]).toEqual([true, undefined]);
});

test("A link opens the same table and the same charts on both hosts", async () => {
  const open = (method: string, rest: string) => {
    const create = (host: keyof typeof links): SentCall => {
      const target = rest.replace(/^(csv|udf)/, (kind) => `/${kind}/${links[host][kind as "csv" | "udf"]}`);
      return { method, target, headers: {} };
    };
    return { node: create("node"), next: create("next") };
  };
  const gets = ["csv", "csv?refresh=1", "csv?limit=1", "udf/config", "udf/symbols?symbol=EURUSD"];
  const replies = await expectAllSame([
    ...gets.map((rest) => open("GET", rest)),
    open("HEAD", "csv"),
    open("POST", "csv"),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200, 405]);
});

test("What no longer changes has the same entity tag on both hosts, by which it is not sent again", async () => {
  for (const path of [
    "/v1/symbols?category=crypto",
    "/v1/symbols/BTCUSD",
    "/v1/sessions?at=2026-01-15T10:00:00Z",
    "/v1/indicators/list",
    "/v1/openapi.json",
  ]) {
    const etag = String((await expectSame(callBoth("GET", path))).headers.etag);
    const sent = [etag, `"other", W/${etag}`, "*", '"other"'];
    const replies = await expectAllSame(
      sent.map((each) => callBoth("GET", path, { headers: { "If-None-Match": each } })),
    );
    expect([path, ...replies.map(({ status }) => status)]).toEqual([path, 304, 304, 304, 200]);
  }
});

test("Next compresses by itself, with gzip only, and the bytes are the same", async () => {
  await choose("next");
  const read = async (coding: string) => {
    const response = await fetch(`${server.url}/v1/openapi.json`, { headers: { "Accept-Encoding": coding } });
    expect(response.headers.get("vary")).toMatch(/\bAccept-Encoding\b/);
    return { coding: response.headers.get("content-encoding"), text: await response.text() };
  };
  const plain = await read("identity");
  expect(plain.coding).toBeNull();
  expect(await read("gzip")).toEqual({ ...plain, coding: "gzip" });
  expect(await read("br")).toEqual(plain);
});

test("Next admits a key whose day is used up by no spelling of a path", async () => {
  await choose("next");
  const headers = { "X-API-Key": keys.next.daily, ...JSON_HEADERS };
  const admitted: string[] = [];
  for (const [method, path] of [
    ["GET", "/v1/quote"],
    ["POST", "/v1/quotes"],
    ["GET", "/v1/symbols/EURUSD"],
    ["PUT", "/v1/monitor/layout"],
    ["GET", "/v1/calendar.ics"],
    ["GET", "/udf/config"],
  ] as const) {
    const body = method === "GET" ? undefined : "{}";
    const spell = async (target: string) => {
      const { status } = await sendCall(server.url, { method, target, headers, body });
      // Next answers some spellings itself, before any route: with a page, with a redirect to the usual one, or as a form.
      if (![308, 400, 403, 404, 429].includes(status)) admitted.push(`${method} ${target} ${status}`);
    };
    await Promise.all([path, ...spellPath(path)].map(spell));
  }
  expect(admitted).toEqual([]);
});

test.each([
  "/\x7f",
  "/\xe9",
  "/%",
  "/%ff",
  "/quotes/%00",
  "/a b",
  "/..%2f",
  "*",
  "http://elsewhere.example/sign-in",
  "/sign-in?a=\x7f",
])("A request for the page %j does no harm", async (target) => {
  const raw = await sendBytes(
    server.url,
    `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Odd: \xff\x80\r\nConnection: close\r\n\r\n`,
  );
  expect(raw).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});
