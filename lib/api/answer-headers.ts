import { remaining, resetSeconds, windowSeconds } from "@/lib/access/minute-window";
import type { Progress } from "@/lib/api/pipeline";

/**
 * The headers of every answer, names and values in turn. A call without a valid key has no window of its own; its
 * limit reads 0, which is what it may make.
 */
export function headersOf(progress: Progress, nowMs: number, extra?: readonly string[], etag?: string): string[] {
  const key = progress.caller?.key;
  const limit = key?.perMinute ?? 0;
  const left = key === undefined ? 0 : remaining(key.minute, limit, nowMs);
  const reset = key === undefined ? windowSeconds : resetSeconds(key.minute, nowMs);
  const headers = [
    "Content-Type",
    "application/json; charset=utf-8",
    "Cache-Control",
    etag === undefined ? "private, no-store" : "private, no-cache",
    "X-Content-Type-Options",
    "nosniff",
    "X-Request-Id",
    progress.requestId,
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    String(left),
    "X-RateLimit-Reset",
    String(reset),
    "RateLimit-Policy",
    `"minute";q=${limit};w=${windowSeconds}`,
    "RateLimit",
    `"minute";r=${left};t=${reset}`,
  ];
  if (etag !== undefined) headers.push("ETag", etag);
  if (progress.ignored !== null) headers.push("X-Ignored-Params", progress.ignored);
  if (extra !== undefined) for (const text of extra) headers.push(text);
  return headers;
}
