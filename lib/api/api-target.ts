import { splitTarget } from "@/lib/api/engine/call";
import { ownsSegment } from "@/lib/api/registry";

/** Where agents reach the server: the Model Context Protocol over HTTP. */
export const MCP_PATH = "/mcp";

/** Whether a path is that of agents, with or without a slash at its end. */
export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/**
 * Whether the API answers a request target, rather than the pages: all of /v1, the endpoints beside it, and agents. That
 * includes every spelling that a lenient reader could take for one of its paths, such as `/x/../v1/quote` and
 * `/%2576%2531/quote`. The API answers these with 404, so no other process can serve them.
 */
export function isApiTarget(target: string): boolean {
  if (target.startsWith("/v1") && (target.length === 3 || target[3] === "/" || target[3] === "?")) return true;
  const segment = findFirstSegment(splitTarget(target).path);
  return segment === null || segment === MCP_PATH.slice(1) || ownsSegment(segment);
}

/** More than one is needed only by a path that hides one encoding in another. */
const MAX_DECODINGS = 4;

/**
 * Finds the first segment of a path as the most lenient reader would: decoded until nothing changes, backslashes as
 * slashes, without empty and dot segments, in lower case. Returns null for a path with too many encodings.
 */
function findFirstSegment(path: string): string | null {
  let decoded = path;
  if (path.includes("%")) {
    for (let round = 0; decoded !== (decoded = decodeAscii(decoded)); round++) if (round === MAX_DECODINGS) return null;
  }
  const segments: string[] = [];
  for (const segment of decoded.split(/[/\\]/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return (segments[0] ?? "").replace(/[?#].*$/s, "").toLowerCase();
}

/** Decodes ASCII characters. An encoded percent sign before two digits is decoded with them. */
function decodeAscii(text: string): string {
  return text.replace(/%(?:25)*([0-7][\da-f])/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
