import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Call, CallBody } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { succeeded } from "@/lib/api/engine/replies";
import type { Services } from "@/lib/api/engine/services";
import { mt5Push, readMt5Push } from "@/lib/calendar/mt5/mt5-push";

const MAX_BYTES = 4_000_000;

/** Accepts the economic calendar of a MetaTrader 5 terminal as the primary stream, with the installation's own token. */
export const mt5Calendar = defineEndpoint({
  method: "POST",
  path: "/ingest/v1/mt5/calendar",
  summary: "Stores the economic calendar of a MetaTrader 5 terminal.",
  access: "open",
  weight: 1,
  query: z.object({}),
  // A large body is read only for a caller with the token.
  bodyLimit: (header, services) => (hasToken(header, services) ? MAX_BYTES : 0),
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
    const push = readPush(call);
    const { events, refused } = readMt5Push(push);
    const { created, changed } = await storeEvents(services, push.server, events);
    return { body: formatSuccess({ created, changed, refused }) };
  },
});

function requireToken({ header }: Call, services: Services): void {
  if (services.ingestToken === null) {
    throw new ApiError("NOT_FOUND", "Nothing is taken in here: no token is set.");
  }
  if (!hasToken(header, services)) {
    throw new ApiError("INVALID_TOKEN", "Send the installation's token in the X-Ingest-Token header.");
  }
}

/** Compares hashes in constant time, so that the duration reveals nothing about the token. */
function hasToken(header: Call["header"], { ingestToken }: Services): boolean {
  if (ingestToken === null) return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(header("x-ingest-token") ?? ""), hash(ingestToken));
}

function readPush({ header, body }: Call): z.output<typeof mt5Push> {
  const length = Number(header("content-length") ?? Infinity);
  if (length > MAX_BYTES || body === "too_large") {
    throw new ApiError("PAYLOAD_TOO_LARGE", `A push has a Content-Length of at most ${MAX_BYTES} bytes.`);
  }
  const push = mt5Push.safeParse(parseJson(body));
  if (push.success) return push.data;
  const issue = push.error.issues[0];
  throw new ApiError("VALIDATION_ERROR", `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
}

/** Parses a body as JSON; null if it is not JSON. */
function parseJson(body: Exclude<CallBody, "too_large">): unknown {
  if (body === "none") return null;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
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
