import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { computeEditDistance } from "@/lib/market/edit-distance";

/** The paths of all endpoints, which `defineEndpoint` adds. */
const definedPaths = new Set<string>();
const MAX_ERRORS = 2;
/** A longer path is not compared. */
const MAX_LENGTH = 64;

export function addDefinedPath(path: string): void {
  definedPaths.add(path);
}

/** The path of the WebSocket. */
export const SOCKET_PATH = "/ws/v1/quotes";

/**
 * 426 UPGRADE_REQUIRED for the address of the WebSocket without one, and for a WebSocket at another address.
 */
function createUpgradeError(): ApiError {
  const message = `The WebSocket of prices is at ${SOCKET_PATH}. Connect to it with a WebSocket client, such as wss:// in place of https://.`;
  return new ApiError("UPGRADE_REQUIRED", message, {}, formatHeaderLine("Upgrade", "websocket"));
}

/** 404 NOT_FOUND: says where the API is, and which endpoint was probably meant. */
export function createUnknownPathError(path: string, isSocket = false): ApiError {
  if (isSocket || /^\/ws(\/|$)/.test(path)) return createUpgradeError();
  const suggestion = findNearPath(path);
  const hint = suggestion === null ? "" : ` ${suggestion} exists.`;
  return new ApiError(
    "NOT_FOUND",
    `There is no such endpoint.${hint} The API is under /v1: GET /v1/openapi.json lists all endpoints.`,
    suggestion === null ? {} : { suggestions: [suggestion] },
  );
}

/**
 * Finds the endpoint whose path differs in its version, letter case, slashes or at most two characters: "/v1/quote" for
 * "/quote", "/v2/Quote/" and "/v1/qoute"; null for none.
 */
function findNearPath(path: string): string | null {
  if (path.length > MAX_LENGTH) return null;
  const wanted = removeVersion(path.toLowerCase().replaceAll(/\/+/g, "/").replace(/\/$/, ""));
  let nearest: string | null = null;
  let nearestErrors = MAX_ERRORS + 1;
  for (const defined of definedPaths) {
    const known = removeVersion(defined);
    const brace = known.indexOf("{");
    const isItsFolder = brace > 0 && wanted.startsWith(known.slice(0, brace)) && wanted.length > brace;
    // Anyone may send such a path, so most comparisons are spared.
    if (!isItsFolder && Math.abs(known.length - wanted.length) > MAX_ERRORS) continue;
    const errors = isItsFolder ? 0 : computeEditDistance(wanted, known, MAX_ERRORS);
    // Two changes make any short word another one.
    if (errors >= nearestErrors || errors * 3 >= known.length) continue;
    nearest = defined;
    nearestErrors = errors;
  }
  return nearest;
}

function removeVersion(path: string): string {
  return path.replace(/^(?:\/api)?\/v\d+(?=\/)/, "");
}
