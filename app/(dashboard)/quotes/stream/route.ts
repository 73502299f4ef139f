import { streamBoard } from "@/features/quotes/broadcast";
import { refuseSignedOut } from "@/features/session/data-route";
import { findStreamOwner } from "@/features/session/viewer";
import { getRuntime } from "@/lib/runtime";

/** The board and its changes, as server-sent events. */
export async function GET(request: Request): Promise<Response> {
  const owner = await findStreamOwner();
  if (owner === null) return refuseSignedOut();
  return streamBoard(await getRuntime(), owner, request.signal);
}
