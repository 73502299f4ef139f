import { streamFirings } from "@/features/alerts/firing-feed";
import { refuseSignedOut } from "@/features/session/data-route";
import { getCurrentAccount, getCurrentSession } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** What fires from now on, as server-sent events. */
export async function GET(request: Request): Promise<Response> {
  const session = await getCurrentSession();
  if (session === null || (await getCurrentAccount()) === null) return refuseSignedOut();
  return streamFirings(await getRuntime(), session, request.signal);
}
