import { createViewRoute, refuse } from "@/features/session/data-route";
import { readLive, readLiveRequest } from "@/features/symbols/read-live";

/** The prices of one symbol now, for a browser whose stream is down. */
export const GET = createViewRoute<{ symbol: string }>(({ runtime, query, params }) => {
  const request = readLiveRequest(params.symbol, query);
  return request === null ? refuse(404, "Unknown symbol") : readLive(runtime, request);
});
