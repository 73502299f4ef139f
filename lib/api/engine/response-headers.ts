import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { BarHole, BarState } from "@/lib/market/expected-bars";
import { formatBarTime } from "@/lib/time/iso-time";

/** The headers of answers, for the documentation: their types and what they tell. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description:
      "The id of this call: 32 hexadecimal characters, which the request log has too, or the X-Request-Id of the caller " +
      "if that has at most 64 letters, digits and . _ : -. The server's log has both.",
    schema: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$" },
    example: "5f1c0f4e9a1b4c7d8e2f3a4b5c6d7e8f",
  },
  traceparent: {
    description: "The traceparent of the call (W3C Trace Context), if it has a valid one.",
    schema: { type: "string" },
    example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  },
  "X-RateLimit-Limit": {
    description: "The calls that the key may make in its window: a minute, or its own day once that is used up.",
    schema: { type: "integer" },
    example: 600,
  },
  "X-RateLimit-Remaining": {
    description: "The calls that are left in the window.",
    schema: { type: "integer" },
    example: 599,
  },
  "X-RateLimit-Reset": {
    description: "Seconds until the window ends.",
    schema: { type: "integer" },
    example: 42,
  },
  RateLimit: {
    description: "The same in the form of the IETF draft: the window, the calls left, and the seconds until it ends.",
    schema: { type: "string" },
    example: '"minute";r=599;t=42',
  },
  "RateLimit-Policy": {
    description: "The limit in the form of the IETF draft: the window, its calls, and its length in seconds.",
    schema: { type: "string" },
    example: '"minute";q=600;w=60',
  },
  "X-Ignored-Params": {
    description: "The parameters and fields of the call that the endpoint does not have, percent-encoded.",
    schema: { type: "string" },
    example: "colour",
  },
  "X-Quote-State": {
    description: "How far the price may be trusted; of several prices the worst.",
    schema: { type: "string", enum: ["live", "delayed", "stale", "closed"] },
    example: "live",
  },
  "X-Quote-Age-Ms": {
    description: "The age of the price in milliseconds; of several prices that of the oldest.",
    schema: { type: "integer" },
    example: 184,
  },
  "X-Data-Mode": {
    description: "Present only if the data is not live. as-of: the answer is that of a moment of the past.",
    schema: { type: "string", enum: ["simulated", "replay", "as-of"] },
    example: "simulated",
  },
  "X-As-Of": {
    description: "Present with at only: the second whose answer this is.",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-20T13:00:00+00:00",
  },
  "X-As-Of-Resolution": {
    description:
      "Present with at only: how finely the prices behind the answer were recorded, in words, and whether they were " +
      "simulated or replayed.",
    schema: { type: "string" },
    example: "the last price of each source in each second",
  },
  "X-Coverage": {
    description:
      "How many rows there are, and how many there would be without gaps. In exports of every tick, how many seconds ticks were kept in, and how many there are.",
    schema: { type: "string", pattern: "^\\d+/\\d+$" },
    example: "58/60",
  },
  "X-Next-From": {
    description: "Where an answer with every tick ends before its range: from of the next page.",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-20T13:42:10.123+00:00",
  },
  "X-Bar-State": {
    description:
      "Present only if the latest closed bar is not the newest that there can be: behind it, or outdated, which is more " +
      "than 60 bars of M1, 10 of D1, 4 of W1 or MN1, an hour of shorter bars or 20 of another timeframe behind. Or short: the " +
      "value is made of the few bars in X-Bars-Used, and changes once those before them are filled in. Of several symbols the worst.",
    schema: { type: "string", enum: ["short", "behind", "outdated"] },
    example: "outdated",
  },
  "X-Bars-Used": {
    description:
      "Present only with X-Bar-State: short: how many closed bars the values are made of; of several symbols the fewest.",
    schema: { type: "integer" },
    example: 41,
  },
  "X-Bar-Holes": {
    description:
      "Present only if bars are missing that the market had, among the latest 400 bars or those of the range: more than 20 " +
      "(60 of M1) and more than the indicator's warm-up. Values are computed from the bars after them. Up to ten, each as " +
      "symbol=from/to.",
    schema: { type: "string" },
    example: "EURUSD=2025-06-30T21:00:00Z/2026-11-27T14:00:00Z",
  },
  ETag: {
    description:
      "Names this version of the answer, weakly if it is compressed. Sent back in If-None-Match, it saves an unchanged answer.",
    schema: { type: "string" },
    example: '"9a1b4c7d8e2f3a4b"',
  },
  Location: {
    description: "The path at which the state of what was begun is.",
    schema: { type: "string" },
    example: "/v1/export/5b0c8f0e-3b5a-4d0e-9c0a-2f1f6c1c7a55",
  },
  "Accept-Ranges": {
    description: "Ranges of bytes are answered.",
    schema: { type: "string", const: "bytes" },
    example: "bytes",
  },
  Link: {
    description: "The call that answers the rest of the range, with rel=next (RFC 8288).",
    schema: { type: "string" },
    example: '</v1/ohlc?symbol=EURUSD&from=2026-11-20T13%3A00%3A00%2B00%3A00>; rel="next"',
  },
  "WWW-Authenticate": {
    description: "How to authenticate: with a key in the header X-API-Key, or as a Bearer token.",
    schema: { type: "string" },
    example: 'Bearer realm="Spotline", ApiKey realm="Spotline", header="X-API-Key"',
  },
  "Retry-After": {
    description: "Seconds to wait before the next call.",
    schema: { type: "integer" },
    example: 18,
  },
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The headers of answers that come from a quote. */
export const QUOTE_HEADERS = ["X-Quote-State", "X-Quote-Age-Ms", "X-Data-Mode"] as const;

/** The headers of answers that are computed from bars. */
export const READING_HEADERS = [...QUOTE_HEADERS, "X-Bar-State", "X-Bars-Used", "X-Bar-Holes"] as const;

const WORST_FIRST = ["outdated", "behind", "short"] as const satisfies readonly BarState[];

/**
 * Formats the header X-Bar-State of several bars; empty if all are current.
 *
 * @param counts the closed bars behind each state, for X-Bars-Used
 */
export function formatBarStateHeader(states: readonly BarState[], counts: readonly number[] = []): string {
  const worst = WORST_FIRST.find((each) => states.includes(each));
  if (worst === undefined) return "";
  const header = formatHeaderLine("X-Bar-State", worst);
  const used = counts.filter((_, at) => states[at] === "short");
  return worst === "short" && used.length > 0 ? header + formatHeaderLine("X-Bars-Used", Math.min(...used)) : header;
}

/** A hole in the bars of a symbol. */
export type NamedHole = Pick<BarHole, "fromMs" | "untilMs"> & { readonly symbol: string };

const MOST_HOLES = 10;

/** Formats the header X-Bar-Holes from the latest of several holes; empty without any. */
export function formatHolesHeader(holes: readonly NamedHole[]): string {
  if (holes.length === 0) return "";
  const texts = holes.slice(-MOST_HOLES).map(({ symbol, fromMs, untilMs }) => {
    return `${symbol}=${formatBarTime(fromMs)}/${formatBarTime(untilMs)}`;
  });
  return formatHeaderLine("X-Bar-Holes", texts.join(", "));
}

/** Formats the header Link to the call that answers the rest of a range: the same call with another `from`. */
export function formatNextLink({ path, search }: Pick<Call, "path" | "search">, fromMs: number): string {
  const query = new URLSearchParams(search);
  query.set("from", formatBarTime(fromMs));
  return formatHeaderLine("Link", `<${path}?${query.toString()}>; rel="next"`);
}
