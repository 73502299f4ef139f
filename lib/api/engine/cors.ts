import type { Directory } from "@/lib/access/admission/directory";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { RESPONSE_HEADERS } from "@/lib/api/engine/response-headers";
import type { CorsOrigins } from "@/lib/platform/settings/server-settings";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/**
 * Which pages of other sites browsers let call the API (Fetch standard, CORS protocol): those of the configured origins,
 * and those of the origins that a key lists, with that key. Cookies are never used.
 */
export interface Cors {
  /** Whether pages of any origin may read answers. */
  readonly isUsed: () => boolean;
  /** Whether answers differ by the header Origin. */
  readonly varies: () => boolean;
  /**
   * Formats the header lines for an answer to a page of this origin; empty if it may not read the answer.
   * @param key the key that the call names; null if it names none
   */
  formatAnswer(origin: string | undefined, key: OriginsOfKey | null): string;
  /** Formats the further lines that allow a page of this origin to make a call; empty if it may not. */
  formatPreflight(origin: string | undefined, methods: string): string;
}

/** Null allows every origin that is configured. */
interface OriginsOfKey {
  readonly origins: ReadonlySet<string> | null;
}

const EXPOSED = formatHeaderLine("Access-Control-Expose-Headers", Object.keys(RESPONSE_HEADERS).join(", "));
const ALLOWED = formatHeaderLine(
  "Access-Control-Allow-Headers",
  "X-API-Key, Authorization, Accept, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id, traceparent",
);
/** Browsers keep the permission at most so long; most of them shorter. */
const MAX_AGE = formatHeaderLine("Access-Control-Max-Age", DAY_MS / SECOND_MS);

/**
 * @param configured null for none
 * @param directory knows the origins of keys. A browser asks for permission without a key, so that any key's will do; the
 *   call itself is then allowed by its own key.
 */
export function createCors(configured: CorsOrigins | null, directory: Pick<Directory, "hasOrigin">): Cors {
  /** Text from outside is repeated only if it equals an origin of the configuration or of a key. */
  const formatOrigin = (origin: string | undefined, key: OriginsOfKey | null) => {
    if (origin === undefined) return "";
    if (configured === "*") return formatHeaderLine("Access-Control-Allow-Origin", "*");
    const isOfKey = key === null ? directory.hasOrigin(origin) : key.origins?.has(origin);
    return configured?.has(origin) || isOfKey ? formatHeaderLine("Access-Control-Allow-Origin", origin) : "";
  };
  return {
    isUsed: () => configured !== null || directory.hasOrigin(),
    varies: () => (configured !== null && configured !== "*") || directory.hasOrigin(),
    formatAnswer(origin, key) {
      const allowed = formatOrigin(origin, key);
      return allowed === "" ? "" : allowed + EXPOSED;
    },
    formatPreflight(origin, methods) {
      if (formatOrigin(origin, null) === "") return "";
      return formatHeaderLine("Access-Control-Allow-Methods", methods) + ALLOWED + MAX_AGE;
    },
  };
}
