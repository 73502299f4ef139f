import { setTimeout as sleep } from "node:timers/promises";
import { JSON_HEADERS, sendCall, type SentCall } from "@/e2e/examples/calls";
import type { ExampleKeys } from "@/e2e/examples/keys";
import { createCors } from "@/lib/api/engine/cors";
import { type ErrorCode, toWireCode } from "@/lib/api/engine/errors";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { matchPath } from "@/lib/api/registry";
import { silentLog } from "@/lib/platform/log/log";
import { SECOND_MS } from "@/lib/time/units";

interface ErrorCall {
  readonly path: string;
  readonly key?: keyof ExampleKeys | null;
  readonly init?: Partial<Pick<SentCall, "method" | "headers" | "body">>;
}

const DAY = "from=2026-01-05T00:00:00Z&to=2026-01-06T00:00:00Z";

/** Of no alert and no webhook. */
const NO_ID = "00000000-0000-4000-8000-000000000000";

/** One refused call for each code; the last answer counts. */
const CALLS: Readonly<Record<string, ErrorCall>> = {
  VALIDATION_ERROR: { path: "/v1/quote" },
  INVALID_CATEGORY: { path: "/v1/indicators?symbol=EURUSD&category=colour" },
  INVALID_DATE: { path: "/v1/calendar?from=2026-02-30" },
  INVALID_DATETIME: { path: "/v1/ohlc?symbol=EURUSD&from=yesterday" },
  INVALID_IMPACT: { path: "/v1/calendar?impact=huge" },
  INVALID_PERIOD: { path: "/v1/spread?symbol=EURUSD&period=2h" },
  INVALID_RANGE: { path: "/v1/ohlc?symbol=EURUSD&from=2026-01-06&to=2026-01-05" },
  INVALID_REQUEST: { path: "/v1/quotes", init: { method: "POST", headers: JSON_HEADERS, body: '{"symbols":[]}' } },
  INVALID_SORT: { path: "/v1/screener?indicator=RSI_14&sort=up" },
  INVALID_SOURCE: { path: "/v1/calendar?source=third" },
  INVALID_SYMBOL: { path: "/v1/quote?symbol=EUR%24USD" },
  INVALID_TIMEFRAME: { path: "/v1/ohlc?symbol=EURUSD&timeframe=H25" },
  INVALID_TYPE: { path: "/v1/heatmap?type=volume" },
  DATA_OUTSIDE_RETENTION: { path: "/v1/ohlc?symbol=EURUSD&timeframe=H1&from=2001-01-01&to=2001-01-02" },
  NO_SYMBOLS: { path: "/v1/spread/compare?symbols=" },
  RANGE_TOO_LARGE: { path: `/v1/ticks?symbol=EURUSD&${DAY}` },
  TOO_MANY_SYMBOLS: { path: `/v1/spread/compare?symbols=${"EURUSD,".repeat(20)}GBPUSD` },
  MISSING_API_KEY: { path: "/v1/quote?symbol=EURUSD", key: null },
  API_KEY_DISABLED: { path: "/v1/quote?symbol=EURUSD", key: "revoked" },
  API_KEY_EXPIRED: { path: "/v1/quote?symbol=EURUSD", key: "expiring" },
  ACCOUNT_SUSPENDED: { path: "/v1/quote?symbol=EURUSD", key: "suspended" },
  IP_NOT_ALLOWED: { path: "/v1/quote?symbol=EURUSD", key: "elsewhere" },
  ORIGIN_NOT_ALLOWED: {
    path: "/v1/quote?symbol=EURUSD",
    key: "pages",
    init: { headers: { Origin: "https://other.example.com" } },
  },
  PERMISSION_DENIED: { path: "/v1/quote?symbol=EURUSD", key: "indicatorsOnly" },
  PLAN_UPGRADE_REQUIRED: { path: `/v1/ticks?symbol=EURUSD&${DAY}`, key: "free" },
  INDICATOR_NOT_FOUND: { path: "/v1/indicator?symbol=EURUSD&indicator=RSI" },
  SYMBOL_NOT_FOUND: { path: "/v1/quote?symbol=EURUSX" },
  ALERT_NOT_FOUND: { path: `/v1/alerts/${NO_ID}` },
  WEBHOOK_NOT_FOUND: { path: `/v1/webhooks/${NO_ID}`, init: { method: "DELETE" } },
  EXPORT_NOT_FOUND: { path: `/v1/export/${NO_ID}` },
  SOURCE_NOT_FOUND: { path: "/v1/quote?symbol=EURUSD&source=nobody" },
  PAYLOAD_TOO_LARGE: { path: "/v1/quotes", init: { method: "POST", headers: JSON_HEADERS, body: " ".repeat(70_000) } },
  NOT_ACCEPTABLE: {
    path: "/v1/quote?symbol=EURUSD",
    init: { headers: { Accept: "application/vnd.apache.parquet" } },
  },
  UPGRADE_REQUIRED: { path: "/ws/v1/quotes" },
  URI_TOO_LONG: { path: `/v1/quote?symbol=${"X".repeat(9_000)}` },
  UNSUPPORTED_MEDIA_TYPE: { path: "/v1/quotes", init: { method: "POST", body: "symbols=EURUSD" } },
  UNPROCESSABLE: { path: "/v1/calendar?limit=501" },
};

/** Calls of an account on the free plan, of which the last is one too many. */
const CROWDED: Readonly<Record<string, { readonly path: string; readonly body: object; readonly calls: number }>> = {
  TOO_MANY_ALERTS: {
    path: "/v1/alerts",
    body: { condition: { type: "spread", symbol: "EURUSD" } },
    calls: 6,
  },
  TOO_MANY_WEBHOOKS: { path: "/v1/webhooks", body: { name: "desk", url: "https://hooks.example/alerts" }, calls: 2 },
};

/** How many calls a key of the free plan may make in a minute, and one more. */
const CROWD = 31;

/** Makes a refused call for each code that a server can be made to answer with. */
export async function* makeErrorCalls(url: string, keys: ExampleKeys) {
  const make = async (code: string, { path, key = "full", init = {} }: ErrorCall, calls = 1) => {
    const named: Record<string, string> = key === null ? {} : { "X-API-Key": keys[key] };
    const sent: SentCall = { method: "GET", target: path, ...init, headers: { ...init.headers, ...named } };
    let reply = await sendCall(url, sent);
    for (let call = 1; call < calls; call++) reply = await sendCall(url, sent);
    return { code, sent, reply };
  };
  for (const [code, call] of Object.entries(CALLS)) yield make(code, call);
  for (const [code, { path, body, calls }] of Object.entries(CROWDED)) {
    const init = { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(body) };
    yield make(code, { path, key: "free", init }, calls);
  }
  const wrong = { headers: { "X-API-Key": `${keys.full}x` } };
  yield make("INVALID_API_KEY", { path: "/v1/quote?symbol=EURUSD", key: null, init: wrong });
  yield make("RATE_LIMIT_EXCEEDED", { path: "/v1/sessions", key: "crowded" }, CROWD);
  yield make("QUOTA_EXCEEDED", { path: "/v1/sessions", key: "daily" }, 2);
}

/** Records an error answer of each code. */
export async function recordErrors(url: string, keys: ExampleKeys, parse: (text: string) => object) {
  await sleep(2 * SECOND_MS); // The expiring key ends.
  const errors: Record<string, object> = {};
  for await (const { code, reply } of makeErrorCalls(url, keys)) errors[code] = parse(reply.body);
  errors.INTERNAL_ERROR = parse(await fail(new Error("a fault")));
  errors.SERVICE_UNAVAILABLE = parse(await fail(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })));
  for (const [code, body] of Object.entries(errors)) {
    if (findCode(body) !== toWireCode(code as ErrorCode)) throw new Error(`${code}: ${findCode(body)}`);
  }
  return errors;
}

const findCode = (body: object) => (body as { error?: { code?: string } }).error?.code;

/** The answer of a call whose work fails: a server that works cannot be made to give it. */
async function fail(fault: Error): Promise<string> {
  const services = {
    log: silentLog,
    noteCall: () => {},
    now: Date.now,
    cors: createCors(null, { hasOrigin: () => false }),
    readHealth: () => Promise.reject(fault),
  } as unknown as Services;
  const call = {
    method: "GET",
    path: "/health",
    search: "",
    apiKey: undefined,
    body: "none",
    header: () => undefined,
    address: () => null,
  } as const;
  return String((await answerCall(call, matchPath("/health"), services)).body);
}
