import { fileURLToPath } from "node:url";
import { isApiTarget } from "@/lib/api/api-target";
import { splitTarget } from "@/lib/api/engine/call";
import { runServer } from "@/lib/runtime/run-server";

/**
 * The server as tests start it, bundled, to have Next's route handlers answer the API. A request for "/hosts/node" has our
 * own host answer from then on, and one for "/hosts/next" Next's again: with the same prices both can be compared.
 */

let host = "next";

runServer({
  pagesEntry: fileURLToPath(new URL("next-host-pages.mjs", import.meta.url)),
  apiEntry: null,
  isApiTarget(target) {
    const chosen = /^\/hosts\/(node|next)$/.exec(target)?.[1];
    if (chosen !== undefined) host = chosen;
    return chosen !== undefined || (isApiTarget(target) && (host === "node" || !reachesNextRoute(target)));
  },
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
