import type { components, operations } from "./generated.js";

/** The types of calls and answers, from the OpenAPI document. */

type Schemas = components["schemas"];
export type Quote = Schemas["Quote"];
export type Candle = Schemas["Candle"];
export type Tick = Schemas["Tick"];
export type CalendarEvent = Schemas["CalendarEvent"];
export type Timeframe = Schemas["Timeframe"];

/** "getQuote", "postQuotes" … */
export type OperationId = keyof operations;

/** What this client sets itself: it always reads JSON in the usual envelope. */
type OwnParameters = "format" | "envelope";

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = Omit<NonNullable<operations[Id]["parameters"]["query"]>, OwnParameters>;

/** The JSON body of an operation. */
export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { "application/json": infer Json } };
}
  ? Json
  : never;

type Success<Responses> = Responses extends { 202: infer Each }
  ? Each
  : Responses extends { 200: infer Each }
    ? Each
    : never;
type Content<Id extends OperationId> =
  Success<operations[Id]["responses"]> extends { content: infer Each } ? Each : never;
type AnswerBody<Id extends OperationId> = Content<Id> extends { "application/json": infer Json } ? Json : string;

/** What an operation answers: `data` of the envelope, or the whole body where there is none. */
export type Data<Id extends OperationId> = Unwrap<AnswerBody<Id>>;
type Unwrap<Each> = Each extends { success: true; data: infer Inner } ? Inner : Each;
/** The same for an operation that can answer without the envelope and is not asked to. */
export type EnvelopedData<Id extends OperationId> = UnwrapOnly<AnswerBody<Id>>;
type UnwrapOnly<Each> = Each extends { success: true; data: infer Inner } ? Inner : never;

/** How far a price may be trusted. */
export type QuoteState = "live" | "delayed" | "stale" | "closed";
/** Whether prices are live, simulated, replayed from a recording, or those of a moment of the past. */
export type DataMode = "live" | "simulated" | "replay" | "as-of";

/** An answer and what its headers say. */
export interface Answer<Value> {
  readonly data: Value;
  readonly meta: Meta;
}

export interface Meta {
  readonly status: number;
  /** Finds the call in the request log of the dashboard. */
  readonly requestId: string | null;
  /** The state of the prices, of several the worst; null where there are none. */
  readonly quoteState: QuoteState | null;
  readonly quoteAgeMs: number | null;
  readonly dataMode: DataMode;
  /** With `at`: the second whose answer this is, and how finely it was recorded, in words; null without. */
  readonly asOf: string | null;
  readonly asOfResolution: string | null;
  /** How far the latest closed bar is behind the newest that there can be. */
  readonly barState: "current" | "behind" | "outdated";
  /** Spans of missing bars, each as symbol=from/to. */
  readonly barHoles: readonly string[];
  /** How many rows there are, and how many there would be without gaps; null where the answer does not say. */
  readonly coverage: { readonly rows: number; readonly expected: number } | null;
  /** The window of the key; null on calls that need no key. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number } | null;
  /** Parameters that the server does not know. */
  readonly ignored: readonly string[];
  readonly headers: Headers;
}
