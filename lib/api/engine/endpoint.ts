import type { z } from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Entitlement } from "@/lib/access/plans";
import { findScope, type Scope } from "@/lib/access/scopes";
import type { Call } from "@/lib/api/engine/call";
import type { Input } from "@/lib/api/engine/query";
import type { Services } from "@/lib/api/engine/services";

/**
 * One endpoint, described once. Validation, limits, the OpenAPI operation and both hosts are drawn from this
 * description; `handle` is all that is its own.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT";
  /** "/v1/quote"; one segment may be a parameter: "/v1/symbols/{symbol}". */
  readonly path: string;
  readonly summary: string;
  /** What else its callers should know, for the documentation. */
  readonly description?: string;
  /** Whether a key is needed. */
  readonly access: "open" | "key";
  /** Whether a feed's token in the query may stand in for the key's header. */
  readonly takesFeedToken: boolean;
  /** The scope a key needs; null where any valid key will do. */
  readonly scope: Scope | null;
  /** What the caller's plan must include; null where every plan will do. */
  readonly entitlement: Entitlement | null;
  /** Whether a call with this query string needs that of the plan; absent where each does. It need not be valid. */
  readonly needsEntitlement?: (search: string) => boolean;
  /** Credits a call costs. */
  readonly weight: 1 | 2 | 3;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject | null;
  /** How many bytes of a body the host reads for this call; MAX_BODY_BYTES where absent. */
  readonly bodyLimit?: BodyLimit;
  /** The whole body of a 200, for the documentation and for the tests that hold every answer against it. */
  readonly reply: z.ZodType;
  /** What a 200 is written in, for the documentation; JSON unless it says otherwise. */
  readonly contentType?: string;
  /** The columns of its answer as CSV; absent where it is JSON only. */
  readonly csv?: readonly string[];
  /** Whether a call with this query string fails in the flat format; absent where none does. It need not be valid. */
  readonly failsFlat?: (search: string) => boolean;
  /** Validated queries and bodies by their text: programs send the same few all day, and reading one is a pure function. */
  readonly queries: Map<string, Input<unknown>>;
  readonly bodies: Map<string, Input<unknown>>;
  handle(request: HandlerRequest<unknown, unknown>): Handled | Promise<Handled>;
}

type BodyLimit = (header: Call["header"], services: Services) => number;

export interface HandlerRequest<Query, Body> {
  readonly query: Query;
  readonly body: Body;
  /** The value of the path's parameter, decoded; empty where the path has none. */
  readonly segment: string;
  /** Who calls; null on an open endpoint. */
  readonly key: KeyEntry | null;
  /** The call as it came, for the few that go by a header. */
  readonly call: Call;
  readonly services: Services;
}

export interface Handled {
  readonly status?: number;
  /** JSON unless `contentType` says otherwise, as text or as bytes that are ready to be sent. */
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  /** Said of a body made of numbers and of our own names: see Answer. */
  readonly isAscii?: boolean;
  /** Further header lines, each ended by CRLF. */
  readonly headers?: string;
  /** A strong entity tag; the answer may then be kept and asked for again with If-None-Match. */
  readonly etag?: string;
}

export function defineEndpoint<Query extends z.ZodObject, Body extends z.ZodObject | null = null>(definition: {
  method: Endpoint["method"];
  path: string;
  summary: string;
  description?: string;
  access: Endpoint["access"];
  takesFeedToken?: true;
  entitlement?: Entitlement;
  needsEntitlement?: Endpoint["needsEntitlement"];
  weight: Endpoint["weight"];
  query: Query;
  body?: Body;
  bodyLimit?: BodyLimit;
  reply: z.ZodType;
  contentType?: string;
  csv?: Endpoint["csv"];
  failsFlat?: Endpoint["failsFlat"];
  handle(
    request: HandlerRequest<z.output<Query>, Body extends z.ZodObject ? z.output<Body> : null>,
  ): Handled | Promise<Handled>;
}): Endpoint {
  return {
    ...definition,
    scope: findScope(definition.path),
    takesFeedToken: definition.takesFeedToken ?? false,
    entitlement: definition.entitlement ?? null,
    body: definition.body ?? null,
    queries: new Map(),
    bodies: new Map(),
  } as Endpoint;
}

/** The body of a success: `{success: true, data}`. */
export function formatSuccess(data: unknown): string {
  return JSON.stringify({ success: true, data });
}
