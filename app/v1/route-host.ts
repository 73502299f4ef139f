import { createHandlers, createRoute, type NextHostContext } from "@/lib/api/next-host";
import { matchPath } from "@/lib/api/registry";
import { getRuntime } from "@/lib/runtime";

async function readContext(): Promise<NextHostContext> {
  const runtime = await getRuntime();
  const { answersCalls, behindOwnServer } = runtime;
  return { services: runtime, answersCalls, behindOwnServer };
}

/** Creates a Next route for an endpoint. These routes are the second host of the API. */
export const route = createRoute(readContext);

/** Creates a Next route for all paths of links below a folder. */
export const linkRoute = () => createHandlers(readContext, matchPath);
