import { remaining, resetSeconds, WINDOW_SECONDS } from "@/lib/access/admission/minute-window";
import type { Exchange } from "@/lib/api/engine/exchange";

/**
 * The header lines of every answer. A call without a valid key has no window of its own; its limit reads 0, which is
 * what it may make.
 */
export function formatHeaders(
  { key, requestId, ignored }: Pick<Exchange, "key" | "requestId" | "ignored">,
  nowMs: number,
  extra = "",
  etag?: string,
  contentType = "application/json; charset=utf-8",
): string {
  const limit = key === null ? 0 : key.perMinute;
  const left = key === null ? "0" : String(remaining(key.minute, limit, nowMs));
  const reset = key === null ? WINDOW_SECONDS : resetSeconds(key.minute, nowMs);
  const kept =
    etag === undefined ? "Cache-Control: private, no-store" : `Cache-Control: private, no-cache\r\nETag: ${etag}`;
  const passedOver = ignored === null ? "" : `X-Ignored-Params: ${ignored}\r\n`;
  return (
    `Content-Type: ${contentType}\r\nX-Content-Type-Options: nosniff\r\n${kept}\r\n` +
    `X-Request-Id: ${requestId}\r\n${formatLimitLines(limit)}X-RateLimit-Remaining: ${left}\r\n` +
    `X-RateLimit-Reset: ${reset}\r\nRateLimit: "minute";r=${left};t=${reset}\r\n${passedOver}${extra}`
  );
}

let linesOf = -1;
let lines = "";

/** What the limit alone decides; callers mostly have the same one as the caller before. */
function formatLimitLines(limit: number): string {
  if (limit !== linesOf) {
    linesOf = limit;
    lines = `X-RateLimit-Limit: ${limit}\r\nRateLimit-Policy: "minute";q=${limit};w=${WINDOW_SECONDS}\r\n`;
  }
  return lines;
}
