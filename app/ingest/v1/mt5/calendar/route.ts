import { createHash, timingSafeEqual } from "node:crypto";
import { createEventStore } from "@/lib/calendar/event-store";
import { mt5Push, readMt5Push } from "@/lib/calendar/mt5/mt5-push";
import { getRuntime } from "@/lib/runtime";

const LARGEST_BYTES = 4_000_000;

/** Takes the economic calendar of a MetaTrader 5 terminal, as the primary stream. Shut unless a token is set. */
export async function POST(request: Request): Promise<Response> {
  const { config, database, now, log } = await getRuntime();
  if (config.ingestToken === null) return refuse(404, "NOT_FOUND", "Nothing is taken in here: no token is set.");
  if (!isSame(request.headers.get("x-ingest-token") ?? "", config.ingestToken)) {
    return refuse(401, "INVALID_TOKEN", "Send the installation's token in the X-Ingest-Token header.");
  }
  if (Number(request.headers.get("content-length") ?? Infinity) > LARGEST_BYTES) {
    return refuse(413, "PAYLOAD_TOO_LARGE", `A push has a Content-Length of at most ${LARGEST_BYTES} bytes.`);
  }
  const push = mt5Push.safeParse(await request.json().catch(() => null));
  if (!push.success) {
    const issue = push.error.issues[0];
    return refuse(400, "VALIDATION_ERROR", `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
  }
  const { events, refused } = readMt5Push(push.data);
  const report = { stream: "primary", provider: "mt5", origin: push.data.server, atMs: now(), events } as const;
  try {
    const { created, changed } = await createEventStore(database).report(report);
    return Response.json({ success: true, data: { created, changed, refused } }, { headers });
  } catch (error) {
    log.error({ err: error }, "a push of calendar events could not be written");
    return refuse(503, "SERVICE_UNAVAILABLE", "The events could not be written; push them again.");
  }
}

const headers = { "Cache-Control": "no-store" };

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ success: false, error: { code, message } }, { status, headers });
}

/** Takes the same time however much of the token is right. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
