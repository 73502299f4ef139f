import { remaining, resetSeconds, windowSeconds } from "@/lib/access/minute-window";
import type { Exchange } from "@/lib/api/pipeline";

/**
 * The headers of every answer, names and values in turn. A call without a valid key has no window of its own; its
 * limit reads 0, which is what it may make.
 */
export function headersOf(exchange: Exchange, nowMs: number, extra?: readonly string[], etag?: string): string[] {
  const { key, requestId, ignored } = exchange;
  const limit = key === null ? 0 : key.perMinute;
  const left = String(key === null ? 0 : remaining(key.minute, limit, nowMs));
  const reset = String(key === null ? windowSeconds : resetSeconds(key.minute, nowMs));
  const headers = [
    "Content-Type",
    "application/json; charset=utf-8",
    "Cache-Control",
    etag === undefined ? "private, no-store" : "private, no-cache",
    "X-Content-Type-Options",
    "nosniff",
    "X-Request-Id",
    requestId,
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    left,
    "X-RateLimit-Reset",
    reset,
    "RateLimit-Policy",
    policyOf(limit),
    "RateLimit",
    `"minute";r=${left};t=${reset}`,
  ];
  if (etag !== undefined) headers.push("ETag", etag);
  if (ignored !== null) headers.push("X-Ignored-Params", ignored);
  if (extra !== undefined) for (const text of extra) headers.push(text);
  return headers;
}

let policyLimit = 0;
let policy = "";

/** Most answers in a row have the same limit, and so the same text. */
function policyOf(limit: number): string {
  if (limit !== policyLimit || policy === "") {
    policyLimit = limit;
    policy = `"minute";q=${limit};w=${windowSeconds}`;
  }
  return policy;
}
