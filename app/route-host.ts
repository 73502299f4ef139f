import { createHandlers } from "@/lib/api/next-host";
import { matchPath } from "@/lib/api/registry";
import { getRuntime } from "@/lib/runtime";

/** The second host of the API: the handlers of every Next route whose paths are endpoints. */
export const apiHandlers = createHandlers(async () => {
  const runtime = await getRuntime();
  const { answersCalls, behindOwnServer } = runtime;
  return { services: runtime, answersCalls, behindOwnServer };
}, matchPath);
