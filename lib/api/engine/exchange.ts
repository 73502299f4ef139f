import type { KeyEntry } from "@/lib/access/admission/directory";
import { type Call, MAX_BODY_BYTES } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import type { Services } from "@/lib/api/engine/services";

/** What there is at a call's path: one endpoint, or one for each method. */
export interface Match {
  /** The template they share: "/v1/symbols/{symbol}". */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** The raw text of the path's parameter, still percent-encoded; empty where the path has none. */
  readonly segment: string;
}

/** The endpoint of a method. GET answers HEAD as well. */
export function findEndpoint({ endpoints }: Match, method: string): Endpoint | null {
  const answered = method === "HEAD" ? "GET" : method;
  for (const endpoint of endpoints) if (endpoint.method === answered) return endpoint;
  return null;
}

/** How many bytes of a body a host reads for a call. */
export function findBodyLimit(match: Match | null, method: string, header: Call["header"], services: Services): number {
  const endpoint = match === null ? null : findEndpoint(match, method);
  return endpoint?.bodyLimit?.(header, services) ?? MAX_BODY_BYTES;
}

/** A call under way, and what has been found out about it. */
export interface Exchange {
  readonly call: Call;
  readonly match: Match | null;
  /** The one that answers the call's method; null if none does. */
  readonly endpoint: Endpoint | null;
  readonly services: Services;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The wall clock when the call came, or when what it waited for was there: read once, as that takes a while. */
  nowMs: number;
  /** The key that was found, whatever else may still refuse the call. */
  key: KeyEntry | null;
  /** Whether the directory of keys was brought up to date for this call. */
  keysRefreshed: boolean;
  /** When a call of the day's quota was set aside for this one; null if none was. */
  reservedAtMs: number | null;
  /** Names of parameters and fields that mean nothing here, for X-Ignored-Params. */
  ignored: string | null;
}
