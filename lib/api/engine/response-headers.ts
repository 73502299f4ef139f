/** The headers of answers, for the documentation: their types and what they tell. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "The id of this call, 32 hexadecimal characters. The request log and the server's log have it too.",
    schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
    example: "5f1c0f4e9a1b4c7d8e2f3a4b5c6d7e8f",
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
    description: "Present only if the data is not live.",
    schema: { type: "string", enum: ["simulated", "replay"] },
    example: "simulated",
  },
  "X-Coverage": {
    description: "How many rows there are, and how many there would be without gaps.",
    schema: { type: "string", pattern: "^\\d+/\\d+$" },
    example: "58/60",
  },
  ETag: {
    description: "Names this version of the answer. Sent back in If-None-Match, it saves an unchanged answer.",
    schema: { type: "string" },
    example: '"9a1b4c7d8e2f3a4b"',
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
