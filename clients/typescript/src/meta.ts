import type { DataMode, Meta, QuoteState } from "./types.js";

/** Reads what the headers of an answer say. */
export function readMeta({ status, headers }: Pick<Response, "status" | "headers">): Meta {
  const limit = readNumber(headers, "x-ratelimit-limit");
  const coverage = /^(\d+)\/(\d+)$/.exec(headers.get("x-coverage") ?? "");
  return {
    status,
    requestId: headers.get("x-request-id"),
    quoteState: headers.get("x-quote-state") as QuoteState | null,
    quoteAgeMs: readNumber(headers, "x-quote-age-ms"),
    dataMode: (headers.get("x-data-mode") as DataMode | null) ?? "live",
    asOf: headers.get("x-as-of"),
    asOfResolution: headers.get("x-as-of-resolution"),
    barState: (headers.get("x-bar-state") as Meta["barState"] | null) ?? "current",
    barHoles: (headers.get("x-bar-holes") ?? "").split(", ").filter(Boolean),
    coverage: coverage === null ? null : { rows: Number(coverage[1]), expected: Number(coverage[2]) },
    rateLimit:
      limit === null
        ? null
        : {
            limit,
            remaining: readNumber(headers, "x-ratelimit-remaining") ?? 0,
            resetSeconds: readNumber(headers, "x-ratelimit-reset") ?? 0,
          },
    ignored: (headers.get("x-ignored-params") ?? "").split(", ").filter(Boolean).map(decodeURIComponent),
    headers,
  };
}

function readNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  return text === null || !/^\d+$/.test(text) ? null : Number(text);
}
