import type * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Entitlement } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";
import type { Handled } from "@/lib/api/engine/answer";
import type { Call } from "@/lib/api/engine/call";
import type { ErrorCode } from "@/lib/api/engine/errors";
import { formatParam } from "@/lib/api/engine/negotiation";
import { atParam } from "@/lib/api/engine/params";
import type { ResponseHeader } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import type { Table } from "@/lib/api/engine/table";
import { addDefinedPath } from "@/lib/api/engine/unknown-path";
import type { Timeframe } from "@/lib/market/timeframe";

/** The groups of endpoints, in the order of the documentation. */
export const ENDPOINT_GROUPS = [
  { name: "Prices", description: "Quotes of one or many symbols, and the symbols there are." },
  { name: "History", description: "Recorded bars and ticks." },
  {
    name: "Spreads and quality",
    description: "Spreads now and over time, and how complete and how right the prices of each source are.",
  },
  {
    name: "Analysis",
    description: "Indicators, the summary of a market, a screener of all symbols, and currency strength.",
  },
  { name: "Calendar and sessions", description: "Economic events, and the trading sessions of the world." },
  { name: "Alerts", description: "Messages when a price, a spread, a quote or an economic event meets a condition." },
  {
    name: "Account and service",
    description: "What a key has used, its saved layout, and the state of the service.",
  },
] as const;

/** One endpoint. Validation, limits, its OpenAPI operation and both hosts follow from this definition. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** "/v1/quote"; one segment may be a parameter: "/v1/symbols/{symbol}". */
  readonly path: string;
  readonly summary: string;
  /** More text for the documentation. */
  readonly description?: string;
  /** Its group in the documentation; absent outside of it. */
  readonly group?: (typeof ENDPOINT_GROUPS)[number]["name"];
  /** Whether a key is needed. */
  readonly access: "open" | "key";
  /** Whether a feed token in the query may replace the key header. */
  readonly takesFeedToken: boolean;
  /** The path of the endpoint whose permission a call needs: its own, or that of another one with the same data. */
  readonly permission: string;
  /** The scope that a key needs; null if any valid key is enough. */
  readonly scope: Scope | null;
  /** What the plan must include; null if every plan is enough. */
  readonly entitlement: Entitlement | null;
  /** Whether a call with this raw query string needs the entitlement; absent if every call does. */
  readonly needsEntitlement?: (search: string) => boolean;
  /** Another scope that a key needs; absent without one. */
  readonly otherScope?: Scope;
  /** Credits a call costs. */
  readonly weight: 1 | 2 | 3;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject | null;
  /** How many bytes of a body the host reads for this call; MAX_BODY_BYTES where absent. */
  readonly bodyLimit?: BodyLimit;
  /** The body of a 200, for the documentation and for the tests of every answer. */
  readonly reply: z.ZodType;
  /** The status of a success, if it is not 200. */
  readonly successStatus?: 202;
  /** Whether it answers ranges of bytes with 206. */
  readonly answersRanges?: true;
  /** The media type of a 200, for the documentation; JSON by default. */
  readonly contentType?: string;
  /** Another media type of a 200, whose body is not text; for the documentation. */
  readonly bytesType?: string;
  /** The columns of the CSV answer; absent if there is none. */
  readonly csv?: readonly string[];
  /** How the answer is written as CSV; absent where the handler does it, or there is none. */
  readonly table?: Table;
  /** The errors of its own, for the documentation: those of keys, limits, plans and parameters follow from the rest. */
  readonly errors?: readonly ErrorCode[];
  /** The headers of a 200 beside those of every answer, for the documentation. With "ETag" there are 304s. */
  readonly headers?: readonly ResponseHeader[];
  /** Whether errors of a call with this raw query string have the flat format; absent if none do. */
  readonly failsFlat?: (search: string) => boolean;
  /** How calls with the parameter at are answered from what was recorded; null where there is no such parameter. */
  readonly asOf: AsOfReading | null;
  /** The endpoint that answers calls with the parameter from, where that makes another one; absent elsewhere. */
  readonly past?: Endpoint;
  /** Validated queries and bodies by their text: programs send the same few all day. */
  readonly queries: Map<string, Input<unknown>>;
  readonly bodies: Map<string, Input<unknown>>;
  /** The latest body by its bytes, which cost less to compare than a text: many calls repeat it. */
  latestBody: { readonly bytes: Buffer; readonly input: Input<unknown> } | null;
  handle(request: HandlerRequest<unknown, unknown>): Handled | Promise<Handled>;
}

/** What an answer at a moment of the past is made of. */
export interface AsOfReading<Query = unknown, Body = unknown> {
  /** The spellings of the symbols whose prices are read, or "all" of them; absent if no price is. */
  symbols?(query: Query, body: Body): readonly string[] | "all";
  /** The timeframe of the bars that answer alone where no price is stored; undefined if the call needs a price. */
  timeframe?(query: Query): Timeframe | undefined;
  /** The symbols whose bars alone are read: without any, the answer names when prices of them were recorded. */
  bars?(query: Query): readonly string[];
  /** How finely what is read was recorded, in words, where no price of a second is; "closed bars" by default. */
  readonly resolution?: string;
  /** The window of the calendar that is read; both ends are inclusive, UTC milliseconds. */
  window?(query: Query, atMs: number): { readonly fromMs: number; readonly toMs: number };
}

type BodyLimit = (header: Call["header"], services: Services) => number;

export interface HandlerRequest<Query, Body> {
  readonly query: Query;
  readonly body: Body;
  /** The decoded path parameter; empty if the path has none. */
  readonly segment: string;
  /** The key of the caller; null on an open endpoint. */
  readonly key: KeyEntry | null;
  /** The raw call, for the few handlers that read a header. */
  readonly call: Call;
  /** Whether the answer is written as a table. */
  readonly isTable: boolean;
  readonly services: Services;
}

/** Who may call an endpoint: everybody, any valid key, or a key with this scope; or who may call another endpoint. */
type Admission =
  | { access: "open" | "any-key" | Exclude<Scope, "all">; permission?: undefined }
  /** Open: a link of such a caller opens it. */
  | { permission: Endpoint; access?: "open" };

interface Definition<Query extends z.ZodObject, Body extends z.ZodObject | null> {
  method: Endpoint["method"];
  path: string;
  summary: string;
  description?: string;
  group?: NonNullable<Endpoint["group"]>;
  takesFeedToken?: true;
  entitlement?: Entitlement;
  needsEntitlement?: Endpoint["needsEntitlement"];
  weight: Endpoint["weight"];
  query: Query;
  body?: Body;
  bodyLimit?: BodyLimit;
  reply: z.ZodType;
  successStatus?: 202;
  answersRanges?: true;
  contentType?: string;
  bytesType?: string;
  csv?: Endpoint["csv"];
  /** Adds the parameter format. */
  table?: Table;
  errors?: Endpoint["errors"];
  headers?: Endpoint["headers"];
  failsFlat?: Endpoint["failsFlat"];
  /** Adds the parameter at. */
  asOf?: AsOfReading<z.output<Query>, Body extends z.ZodObject ? z.output<Body> : null>;
  handle(
    request: HandlerRequest<z.output<Query>, Body extends z.ZodObject ? z.output<Body> : null>,
  ): Handled | Promise<Handled>;
}

export function defineEndpoint<Query extends z.ZodObject, Body extends z.ZodObject | null = null>(
  definition: Definition<Query, Body> & Admission,
): Endpoint {
  addDefinedPath(definition.path);
  const { table, query, asOf, access, permission, ...rest } = definition;
  const parameters = {
    ...(table === undefined ? {} : { format: formatParam.optional() }),
    ...(asOf === undefined ? {} : { at: atParam.optional() }),
  };
  return {
    ...rest,
    ...(table === undefined ? {} : { table, csv: table.columns }),
    query: query.safeExtend(parameters),
    permission: permission?.path ?? definition.path,
    access: access === "open" ? "open" : "key",
    scope: permission === undefined ? toScope(access) : permission.scope,
    takesFeedToken: definition.takesFeedToken ?? false,
    entitlement: definition.entitlement ?? null,
    body: definition.body ?? null,
    queries: new Map(),
    bodies: new Map(),
    latestBody: null,
    asOf: asOf ?? null,
  } as unknown as Endpoint;
}

function toScope(access: Admission["access"]): Scope | null {
  return access === undefined || access === "open" || access === "any-key" ? null : access;
}

/** The body of a success: `{success: true, data}`. */
export function formatSuccess(data: unknown): string {
  return JSON.stringify({ success: true, data });
}

/** A validated query or body, and the names in it that the schema does not define. */
export interface Input<T> {
  readonly value: T;
  /** Percent-encoded, comma-separated, for X-Ignored-Params; null if there are none. */
  readonly ignored: string | null;
}
