import { streamBoard } from "@/features/quotes/stream/stream-board";
import { refuseSignedOut } from "@/features/session/data-route";
import { getCurrentAccount, getCurrentSession } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** The board and its changes, as server-sent events. */
export async function GET(request: Request): Promise<Response> {
  const session = await getCurrentSession();
  if (session === null || (await getCurrentAccount()) === null) return refuseSignedOut();
  return streamBoard(await getRuntime(), session, request.signal);
}
