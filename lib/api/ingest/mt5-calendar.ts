import * as z from "zod";
import type { Call } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { succeeded } from "@/lib/api/engine/replies";
import type { Services } from "@/lib/api/engine/services";
import { findTerminal, hasOwnToken, readPushBody } from "@/lib/api/ingest/push-body";
import { mt5Push, readMt5Push } from "@/lib/calendar/mt5/mt5-push";

const MAX_BYTES = 4_000_000;

/** Accepts the economic calendar of a MetaTrader 5 terminal as the primary stream, with a token. */
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
    const decode = (body: Uint8Array) => new TextDecoder().decode(body);
    const push = readPushBody(call, mt5Push, { maxBytes: MAX_BYTES, decode });
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
