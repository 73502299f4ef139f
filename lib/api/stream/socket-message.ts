import * as z from "zod";
import { ApiError } from "@/lib/api/engine/errors";
import { parseBody } from "@/lib/api/engine/parse-input";
import { MAX_STREAM_NAMES } from "@/lib/api/stream/stream";
import type { Clock } from "@/lib/platform/timing/clock";

const OPERATIONS = ["subscribe", "unsubscribe", "resume", "ping"] as const;

const messageSchema = z.object({
  op: z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(", ")}`),
  symbols: z
    .array(
      z
        .string("must contain only strings")
        .min(1, "must not contain an empty symbol")
        .max(64, "has a name that is long"),
      "must be an array of strings",
    )
    .max(MAX_STREAM_NAMES, `must name at most ${MAX_STREAM_NAMES} symbols`)
    .optional(),
  id: z.string("must be a string").max(64, "must be at most 64 characters").optional(),
});

export type SocketMessage = z.output<typeof messageSchema>;

/** Reads a message of a client. Throws 400 VALIDATION_ERROR. */
export function parseMessage(data: Buffer, isBinary: boolean): SocketMessage {
  if (isBinary) throw new ApiError("VALIDATION_ERROR", "Messages are JSON text, not binary data.");
  const message = parseBody(data.toString("utf8"), messageSchema).value;
  if (message.op === "subscribe" && (message.symbols ?? []).length === 0)
    throw new ApiError("VALIDATION_ERROR", "symbols must name at least one symbol");
  return message;
}

/** The messages that a client may send: a few at once, then so many a second. */
const BURST = 20;
const PER_SECOND = 5;
/** Refused messages in a row after which the connection is closed. */
const MAX_REFUSED = 100;

/** Counts the messages of one connection. `take` returns what to do with the next one. */
export function createMessageLimit(monotonic: Clock) {
  let tokens = BURST;
  let refused = 0;
  let atMs = monotonic();
  return {
    take(): "accept" | "refuse" | "close" {
      const nowMs = monotonic();
      tokens = Math.min(BURST, tokens + ((nowMs - atMs) * PER_SECOND) / 1_000);
      atMs = nowMs;
      if (tokens >= 1) {
        tokens -= 1;
        refused = 0;
        return "accept";
      }
      return ++refused >= MAX_REFUSED ? "close" : "refuse";
    },
  };
}

/** The error for a client that sends more. */
export function createMessageRateError(): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", `A connection may send ${PER_SECOND} messages a second.`, {
    limit: PER_SECOND,
    remaining: 0,
    reset_in_seconds: 1,
  });
}
