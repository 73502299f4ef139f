import { refuse, refuseSignedOut } from "@/features/session/data-route";
import { findStreamOwner } from "@/features/session/viewer";
import { readLiveRequest } from "@/features/symbols/read-live";
import { streamSymbol } from "@/features/symbols/stream-symbol";
import { getRuntime } from "@/lib/runtime";

interface Context {
  params: Promise<{ symbol: string }>;
}

/** The prices of one symbol and their changes, as server-sent events. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const owner = await findStreamOwner();
  if (owner === null) return refuseSignedOut();
  const live = readLiveRequest((await params).symbol, new URL(request.url).searchParams);
  return live === null ? refuse(404, "Unknown symbol") : streamSymbol(await getRuntime(), owner, live, request.signal);
}
