import { createRoute } from "@/lib/api/next-host";
import { getRuntime } from "@/lib/runtime";

/** Makes a Next route of an endpoint; the second host of the API. */
export const route = createRoute(async () => {
  const runtime = await getRuntime();
  return { services: runtime, behindOwnServer: runtime.behindOwnServer };
});
