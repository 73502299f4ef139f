import { formatHeaderLine } from "@/lib/api/engine/call";
import { RESPONSE_HEADERS } from "@/lib/api/engine/response-headers";
import type { CorsOrigins } from "@/lib/platform/settings/cors-setting";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/** Which pages of other sites browsers let call the API (Fetch standard, CORS protocol). Cookies are never used. */
export interface Cors {
  /** Whether answers differ by the header Origin. */
  readonly varies: boolean;
  /** Formats the header lines for an answer to a page of this origin; empty if it may not read the answer. */
  formatAnswer(origin: string | undefined): string;
  /** Formats the further lines that allow a page of this origin to make a call; empty if it may not. */
  formatPreflight(origin: string | undefined, methods: string): string;
}

const EXPOSED = formatHeaderLine("Access-Control-Expose-Headers", Object.keys(RESPONSE_HEADERS).join(", "));
const ALLOWED = formatHeaderLine(
  "Access-Control-Allow-Headers",
  "X-API-Key, Accept, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id, traceparent",
);
/** Browsers keep the permission at most so long; most of them shorter. */
const MAX_AGE = formatHeaderLine("Access-Control-Max-Age", DAY_MS / SECOND_MS);

export function createCors(origins: CorsOrigins): Cors {
  /** Text from outside is repeated only if it equals a configured origin. */
  const formatOrigin = (origin: string | undefined) => {
    if (origin === undefined) return "";
    if (origins === "*") return formatHeaderLine("Access-Control-Allow-Origin", "*");
    return origins.has(origin) ? formatHeaderLine("Access-Control-Allow-Origin", origin) : "";
  };
  return {
    varies: origins !== "*",
    formatAnswer(origin) {
      const allowed = formatOrigin(origin);
      return allowed === "" ? "" : allowed + EXPOSED;
    },
    formatPreflight(origin, methods) {
      if (formatOrigin(origin) === "") return "";
      return formatHeaderLine("Access-Control-Allow-Methods", methods) + ALLOWED + MAX_AGE;
    },
  };
}
