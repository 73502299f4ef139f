import { writeCurl } from "@/components/shared/write-curl";
import { SECOND_MS } from "@/lib/time/units";

/** The endpoints behind panels, and the credits of a call. The registry defines them; browsers do not load it. */
export const CREDITS = {
  "/v1/alerts": 1,
  "/v1/calendar": 2,
  "/v1/heatmap": 2,
  "/v1/indicator/history": 3,
  "/v1/indicators": 1,
  "/v1/monitor/account": 1,
  "/v1/multi": 2,
  "/v1/ohlc": 1,
  "/v1/quality": 1,
  "/v1/quality/day": 1,
  "/v1/quotes": 1,
  "/v1/screener": 1,
  "/v1/sessions": 1,
  "/v1/spread": 1,
  "/v1/spread/compare": 1,
  "/v1/summary": 2,
  "/v1/ticks": 3,
  "/v1/webhooks": 1,
} as const;

/** A call of the API, with all its parameters. */
export interface CodeRequest {
  readonly path: string;
  /** By default GET, or POST with a body. */
  readonly method?: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The call behind a panel. */
export type ApiRequest = CodeRequest & { readonly path: keyof typeof CREDITS };

/**
 * How a call gives what a page of the past shows: by the parameter at, with its credits, or by the end of its range where
 * the endpoint has no such parameter. Calls of other endpoints have nothing of the market in them.
 */
const OF_THE_PAST: Readonly<Partial<Record<ApiRequest["path"], { readonly atCredits: number } | "to">>> = {
  "/v1/calendar": { atCredits: 3 },
  "/v1/heatmap": { atCredits: 3 },
  "/v1/indicator/history": "to",
  "/v1/indicators": { atCredits: 3 },
  "/v1/multi": { atCredits: 3 },
  "/v1/ohlc": { atCredits: 3 },
  "/v1/quotes": { atCredits: 3 },
  "/v1/screener": { atCredits: 3 },
  "/v1/sessions": { atCredits: 1 },
  "/v1/spread": { atCredits: 3 },
  "/v1/spread/compare": { atCredits: 3 },
  "/v1/summary": { atCredits: 3 },
  "/v1/ticks": "to",
};

interface PricedRequest {
  readonly request: ApiRequest;
  readonly credits: number;
}

/** The call behind a panel that shows a second such as "2026-11-27T13:30:00Z", or the present for null. */
export function placeRequest(request: ApiRequest, at: string | null): PricedRequest {
  const credits = CREDITS[request.path];
  const past = OF_THE_PAST[request.path];
  if (at === null || past === undefined) return { request, credits };
  if (past !== "to") return { request: { ...request, query: { ...request.query, at } }, credits: past.atCredits };
  // A range does not include its end.
  const end = new Date(Date.parse(at) + SECOND_MS).toISOString();
  const own = String(request.query?.["to"] ?? end);
  const to = own < end ? own : end;
  return { request: { ...request, query: { ...request.query, to } }, credits };
}

export const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Writes a call as code that reads the key from the environment variable SPOTLINE_KEY. `origin` has no slash at its end. */
export function writeCode(language: Language, origin: string, request: CodeRequest): string {
  return WRITERS[language](`${origin}${formatTarget(request)}`, request.body, request.method);
}

/** Formats path and query. Commas and colons, which are in most lists and times, need no escape in a query. */
export function formatTarget({ path, query = {} }: CodeRequest): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${escapeValue(String(value))}`);
  return search.length === 0 ? path : `${path}?${search.join("&")}`;
}

const escapeValue = (value: string) => encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("%3A", ":");

type Writer = (url: string, body: CodeRequest["body"], method: CodeRequest["method"]) => string;

const writeTypeScript: Writer = (url, body, method = body === undefined ? undefined : "POST") => {
  const headers = ['"X-API-Key": process.env.SPOTLINE_KEY ?? ""'];
  const options = method === undefined ? [] : [`  method: "${method}",`];
  if (body !== undefined) {
    headers.push('"Content-Type": "application/json"');
    options.push(`  body: JSON.stringify(${JSON.stringify(body)}),`);
  }
  return [
    `const response = await fetch("${url}", {`,
    `  headers: { ${headers.join(", ")} },`,
    ...options,
    "});",
    "const { data } = await response.json();",
  ].join("\n");
};

const writePython: Writer = (url, body, method = body === undefined ? undefined : "POST") =>
  [
    "import os, requests",
    "",
    `response = requests.${method?.toLowerCase() ?? "get"}(`,
    `    "${url}",`,
    `    headers={"X-API-Key": os.environ["SPOTLINE_KEY"]},`,
    // What these bodies have, texts and lists of texts, is written the same way in Python.
    ...(body === undefined ? [] : [`    json=${JSON.stringify(body)},`]),
    ")",
    'data = response.json()["data"]',
  ].join("\n");

const WRITERS: Readonly<Record<Language, Writer>> = {
  curl: (url, body, method) => writeCurl(url, "$SPOTLINE_KEY", body, method),
  TypeScript: writeTypeScript,
  Python: writePython,
};
