import { createRoute } from "@/lib/api/next-host";
import { getRuntime } from "@/lib/runtime";

/** Creates a Next route for an endpoint. These routes are the second host of the API. */
export const route = createRoute(async () => {
  const runtime = await getRuntime();
  const { answersCalls, behindOwnServer } = runtime;
  return { services: runtime, answersCalls, behindOwnServer };
});
