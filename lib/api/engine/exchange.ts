import type { KeyEntry, LinkEntry } from "@/lib/access/admission/directory";
import type { Handled } from "@/lib/api/engine/answer";
import { type Call, MAX_BODY_BYTES } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import type { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";

/** The endpoints at a path: one, or one for each method. */
export interface Match {
  /** Their path template: "/v1/symbols/{symbol}". */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** The path parameter, still percent-encoded; empty if the path has none. */
  readonly segment: string;
  /** The token of a link in the path, which is not logged; absent without one. */
  readonly link?: LinkToken;
  /** How errors at this path are written; absent for the usual way. */
  readonly writeError?: (error: ApiError) => Pick<Handled, "body" | "contentType">;
}

/** The token in the path of a link, and what links at that path can open. */
export interface LinkToken {
  readonly token: string;
  /** Whether the link fixes the parameters of the call. */
  readonly fixesParameters: boolean;
  /** Finds what a link for this path opens; null if nothing here. */
  readonly findTarget: (path: string) => Match | null;
}

/** Finds the endpoint of a method. The endpoint of GET answers HEAD as well. */
export function findEndpoint({ endpoints }: Match, method: string): Endpoint | null {
  const endpointMethod = method === "HEAD" ? "GET" : method;
  for (const endpoint of endpoints) if (endpoint.method === endpointMethod) return endpoint;
  return null;
}

/** How many bytes of a body a host reads for a call. */
export function findBodyLimit(match: Match | null, method: string, header: Call["header"], services: Services): number {
  const endpoint = match === null ? null : findEndpoint(match, method);
  return endpoint?.bodyLimit?.(header, services) ?? MAX_BODY_BYTES;
}

/** The state of a call in the pipeline. */
export interface Exchange {
  /** Opening a link replaces the call, what matches it and its endpoint by those that the link names. */
  call: Call;
  match: Match | null;
  /** The endpoint of the method; null if there is none. */
  endpoint: Endpoint | null;
  /** The link that names the key of the call; null without one. */
  link: LinkEntry | null;
  readonly services: Services;
  readonly requestId: string;
  /** The caller's own id of the call, which its answer has instead; null without a valid one. */
  readonly callerId?: string | null;
  readonly startedAtMs: number;
  /** The wall clock, read when the call arrived and again after each wait: reading it is slow. */
  nowMs: number;
  /** The key of the call, even if the call is refused later. */
  key: KeyEntry | null;
  /** The key that the call names, also a disabled or expired one, for the request log. */
  namedKey: KeyEntry | null;
  /** The validated body; null without one. */
  body: unknown;
  /** Whether the directory was refreshed for this call. */
  keysRefreshed: boolean;
  /** When the day counted this call; null if it did not. */
  reservedAtMs: number | null;
  /** Whether the key's own limit of a day refused this call: its headers state that limit. */
  isKeyDayUsedUp: boolean;
  /** Unknown parameters and fields, for X-Ignored-Params. */
  ignored: string | null;
}
