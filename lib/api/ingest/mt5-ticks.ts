import * as z from "zod";
import type { Call } from "@/lib/api/engine/call";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { succeeded } from "@/lib/api/engine/replies";
import type { Services } from "@/lib/api/engine/services";
import { findTerminal, readPushBody } from "@/lib/api/ingest/push-body";
import { BootIdTaken, type TerminalId } from "@/lib/feeds/mt5/terminal";
import { decodePush, type TickPush, tickPush } from "@/lib/feeds/mt5/tick-push";

const MAX_BYTES = 2_000_000;

/** Stores a batch of ticks of a MetaTrader 5 terminal. The token of the terminal names their source. */
export const mt5Ticks = defineEndpoint({
  method: "POST",
  path: "/ingest/v1/mt5/ticks",
  summary: "Stores a batch of ticks of a MetaTrader 5 terminal.",
  access: "open",
  weight: 1,
  query: z.object({}),
  // A large body is read only for a caller with a token.
  bodyLimit: (header, services) => (findTerminal(header, services) === null ? 0 : MAX_BYTES),
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
    const push = readPushBody(call, tickPush, { maxBytes: MAX_BYTES, decode: decodePush });
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
