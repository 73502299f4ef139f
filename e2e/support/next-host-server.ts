import { fileURLToPath } from "node:url";
import { isApiTarget } from "@/lib/api/api-target";
import { splitTarget } from "@/lib/api/engine/call";
import { runServer } from "@/lib/runtime/run-server";

/** The server as tests start it, bundled, to have Next's route handlers answer the API. */

runServer({
  pagesEntry: fileURLToPath(new URL("next-host-pages.mjs", import.meta.url)),
  apiEntry: null,
  isApiTarget: (target) => isApiTarget(target) && !reachesNextRoute(target),
});

/** Next redirects or refuses some paths by itself, before any route could answer them as the API does. */
function reachesNextRoute(target: string): boolean {
  const { path } = splitTarget(target);
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return !path.includes("//") && !path.endsWith("/");
}
