import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { succeeded } from "@/lib/api/engine/replies";
import type { Services } from "@/lib/api/engine/services";
import { mt5Push, readMt5Push } from "@/lib/calendar/mt5-push";
import { BootIdTaken, type TerminalId } from "@/lib/feeds/mt5/terminal";
import { decodePush, type TickPush, tickPush } from "@/lib/feeds/mt5/tick-push";

const MAX_TICKS_BYTES = 2_000_000;

/** Stores a batch of ticks of a MetaTrader 5 terminal. The token of the terminal names their source. */
export const mt5Ticks = defineEndpoint({
  method: "POST",
  path: "/ingest/v1/mt5/ticks",
  summary: "Stores a batch of ticks of a MetaTrader 5 terminal.",
  access: "open",
  weight: 1,
  query: z.object({}),
  // A large body is read only for a caller with a token.
  bodyLimit: (header, services) => (findTerminal(header, services) === null ? 0 : MAX_TICKS_BYTES),
  reply: z.strictObject({
    success: succeeded,
    data: z.strictObject({
      ack: z.int(),
      expected: z.int().optional(),
      repeated: z.boolean(),
      clock: z.enum(["known", "in_doubt", "unknown"]),
      warning: z.string().optional(),
    }),
  }),
  handle: async ({ call, services }) => {
    const terminal = requireTerminal(call, services);
    const push = readPushBody(call, tickPush, { maxBytes: MAX_TICKS_BYTES, decode: decodePush });
    return { body: formatSuccess(await store(services, terminal, push)) };
  },
});

function requireTerminal(call: Call, services: Services): TerminalId {
  const terminal = findTerminal((name) => call.header(name), services);
  if (terminal !== null) return terminal;
  throw new ApiError("INVALID_TOKEN", "Send the token of this terminal in the X-Ingest-Token header.");
}

/** Acknowledges a batch once it is stored. */
async function store({ terminals, marketNow, log }: Services, terminal: TerminalId, push: TickPush) {
  try {
    const outcome = await terminals?.accept(terminal, push, marketNow());
    if (outcome !== null && outcome !== undefined) return outcome;
  } catch (error) {
    if (error instanceof BootIdTaken) {
      const message = "Other ticks were stored with this boot_id and seq. Start again with another boot_id.";
      throw new ApiError(UNPROCESSABLE, message);
    }
    log.error({ err: error, source: terminal.source }, "storing a batch of a terminal failed");
    throw createUnavailable("The batch could not be stored; push it again.");
  }
  throw createUnavailable("Another server records prices; push to that one.");
}

function createUnavailable(message: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message, {}, formatHeaderLine("Retry-After", 2));
}

const MAX_CALENDAR_BYTES = 4_000_000;

/** Accepts the economic calendar of a MetaTrader 5 terminal as the primary stream, with a token. */
export const mt5Calendar = defineEndpoint({
  method: "POST",
  path: "/ingest/v1/mt5/calendar",
  summary: "Stores the economic calendar of a MetaTrader 5 terminal.",
  access: "open",
  weight: 1,
  query: z.object({}),
  // A large body is read only for a caller with the token.
  bodyLimit: (header, services) => (hasToken(header, services) ? MAX_CALENDAR_BYTES : 0),
  reply: z.strictObject({
    success: succeeded,
    data: z.strictObject({
      created: z.int(),
      changed: z.int(),
      refused: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
    }),
  }),
  handle: async ({ call, services }) => {
    requireToken(call, services);
    const decode = (body: Uint8Array) => new TextDecoder().decode(body);
    const push = readPushBody(call, mt5Push, { maxBytes: MAX_CALENDAR_BYTES, decode });
    const { events, refused } = readMt5Push(push);
    const { created, changed } = await storeEvents(services, push.server, events);
    return { body: formatSuccess({ created, changed, refused }) };
  },
});

function requireToken(call: Call, services: Services): void {
  if (hasToken((name) => call.header(name), services)) return;
  throw new ApiError(
    "INVALID_TOKEN",
    "Send the token of a terminal or of the installation in the X-Ingest-Token header.",
  );
}

function hasToken(header: Call["header"], services: Services): boolean {
  return hasOwnToken(header, services) || findTerminal(header, services) !== null;
}

type ReportedEvents = ReturnType<typeof readMt5Push>["events"];

async function storeEvents({ reportEvents, now, log }: Services, origin: string, events: ReportedEvents) {
  try {
    return await reportEvents({ stream: "primary", provider: "mt5", origin, atMs: now(), events });
  } catch (error) {
    log.error({ err: error }, "storing a calendar push failed");
    throw new ApiError("SERVICE_UNAVAILABLE", "The events could not be written; push them again.");
  }
}

/** What the endpoints for pushes have in common: the tokens, and the checks of a body. */

const HEADER = "x-ingest-token";

/** Whether a call has the installation's own token. Compares hashes in constant time. */
function hasOwnToken(header: Call["header"], { ingestToken }: Services): boolean {
  if (ingestToken === null) return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(header(HEADER) ?? ""), hash(ingestToken));
}

/** The token of a terminal that a call has, or null. */
function findTerminal(header: Call["header"], { terminals }: Services) {
  const secret = header(HEADER);
  return secret === undefined ? null : (terminals?.findToken(secret) ?? null);
}

/** Checks a body of at most `maxBytes`. Throws an ApiError that names the first wrong field. */
function readPushBody<Shape extends z.ZodType>(
  call: Call,
  schema: Shape,
  { maxBytes, decode }: { readonly maxBytes: number; readonly decode: (body: Uint8Array) => string },
): z.output<Shape> {
  const { body } = call;
  const length = Number(call.header("content-length") ?? Infinity);
  if (length > maxBytes || body === "too_large") {
    throw new ApiError("PAYLOAD_TOO_LARGE", `A push has a Content-Length of at most ${maxBytes} bytes.`);
  }
  const push = schema.safeParse(body === "none" ? null : parseJson(decode(body)));
  if (push.success) return push.data;
  const issue = push.error.issues[0];
  throw new ApiError("VALIDATION_ERROR", `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
}

/** Parses a text as JSON; null if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
