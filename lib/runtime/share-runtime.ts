import { matchPath } from "@/lib/api/registry";
import { type Runtime, setRuntime, type StartedRuntime } from "@/lib/runtime";
import { createPast } from "@/lib/runtime/past-runtime";

/** Gives the pages of this process what it has started. */
export function shareRuntime(started: StartedRuntime): Runtime {
  const { answersCalls, behindOwnServer } = started;
  const runtime: Runtime = {
    ...started,
    openPast: createPast(started),
    async answerRequest(request) {
      // Behind our own server, which answers the API itself, this code is not needed.
      const { answerRequest } = await import("@/lib/api/next-host");
      return answerRequest(request, matchPath, { services: started, answersCalls, behindOwnServer });
    },
  };
  setRuntime(Promise.resolve(runtime));
  return runtime;
}
