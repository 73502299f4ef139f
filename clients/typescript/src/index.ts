export { Spotline } from "./client.js";
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  type ErrorFields,
  ExportError,
  RateLimitError,
  SpotlineError,
  TimeoutError,
} from "./errors.js";
export type { components, operations, paths } from "./generated.js";
export type { BarQuery, EventQuery, ListedSymbol, Reading, ReadingQuery, SymbolQuery, TickQuery } from "./iterate.js";
export type { Time } from "./pages.js";
export type { PriceUpdate, SecondBar, StreamGap, SymbolState } from "./price-state.js";
export { ReplayError, type ReplaySummary } from "./replay-check.js";
export type { RetryPolicy } from "./retry.js";
export type { PriceStream, StreamOptions } from "./stream.js";
export type { CallOptions, ClientOptions } from "./transport.js";
export type {
  Answer,
  Body,
  CalendarEvent,
  Candle,
  Data,
  DataMode,
  Meta,
  OperationId,
  Query,
  Quote,
  QuoteState,
  Tick,
  Timeframe,
} from "./types.js";
