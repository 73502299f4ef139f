import { streamBoard } from "@/features/quotes/stream/stream-board";
import { signedOut } from "@/features/session/data-route";
import { currentAccount, currentSession } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** The board as it changes. */
export async function GET(request: Request): Promise<Response> {
  const session = await currentSession();
  if (session === null || (await currentAccount()) === null) return signedOut();
  return streamBoard(await getRuntime(), session.id, request.signal);
}
