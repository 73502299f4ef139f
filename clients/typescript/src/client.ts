import { call } from "./caller.js";
import {
  type BarQuery,
  type EventQuery,
  iterateBars,
  iterateEvents,
  iterateReadings,
  iterateSymbols,
  iterateTicks,
  type ListedSymbol,
  type Reading,
  type ReadingQuery,
  type SymbolQuery,
  type TickQuery,
} from "./iterate.js";
import { PriceStream, type StreamOptions } from "./stream.js";
import { type CallOptions, type ClientOptions, Transport } from "./transport.js";
import type { Answer, Body, CalendarEvent, Candle, Data, EnvelopedData, OperationId, Query, Tick } from "./types.js";

type Reply<Id extends OperationId> = Promise<Answer<Data<Id>>>;

/**
 * A client of one installation with one key. Calls resolve with the data of the answer and with what its headers say;
 * see errors.ts for what they throw.
 */
export class Spotline {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** The current bid and ask of one symbol. */
  quote(query: Query<"getQuote">, options?: CallOptions): Reply<"getQuote"> {
    return call(this.#transport, "getQuote", { query }, options);
  }

  /** The current quotes of up to a hundred symbols. It is a POST, so it is not sent again after a failure. */
  quotes(body: Body<"postQuotes">, options?: CallOptions): Promise<Answer<EnvelopedData<"postQuotes">>> {
    return call(this.#transport, "postQuotes", { body }, options) as Promise<Answer<EnvelopedData<"postQuotes">>>;
  }

  /** Follows the prices of several symbols. Iterate over what it returns. */
  stream(options: StreamOptions = {}): PriceStream {
    return new PriceStream(this.#transport, options);
  }

  symbols(query: Query<"getSymbols"> = {}, options?: CallOptions): Reply<"getSymbols"> {
    return call(this.#transport, "getSymbols", { query }, options);
  }

  /** One instrument, by any broker's spelling. */
  symbol(symbol: string, options?: CallOptions): Reply<"getSymbolsSymbol"> {
    return call(this.#transport, "getSymbolsSymbol", { path: symbol }, options);
  }

  /** Candles, oldest first: see also `bars`. */
  ohlc(query: Query<"getOhlc">, options?: CallOptions): Reply<"getOhlc"> {
    return call(this.#transport, "getOhlc", { query }, options);
  }

  /** The ticks of up to one hour: see also `ticksBetween`. */
  ticks(query: Query<"getTicks">, options?: CallOptions): Reply<"getTicks"> {
    return call(this.#transport, "getTicks", { query }, options);
  }

  /** Ticks, bars or spreads of up to a day or more as CSV text. Parquet is bytes: fetch it without this client. */
  exportCsv(query: Query<"getExport">, options?: CallOptions): Reply<"getExport"> {
    return call(this.#transport, "getExport", { query }, options);
  }

  /**
   * Begins an export of a long range: a file for each symbol and month. It is not sent again after a failure. See also
   * `downloadExport` of @spotline/client/node.
   */
  createExport(body: Body<"postExport">, options?: CallOptions): Reply<"postExport"> {
    return call(this.#transport, "postExport", { body }, options);
  }

  /** How far an export is, and links to its files once it is done. The links need no key, and answer ranges of bytes. */
  readExport(id: string, options?: CallOptions): Reply<"getExportId"> {
    return call(this.#transport, "getExportId", { path: id }, options);
  }

  /** The exports of the account, newest first. */
  exports(query: Query<"getExports"> = {}, options?: CallOptions): Reply<"getExports"> {
    return call(this.#transport, "getExports", { query }, options);
  }

  deleteExport(id: string, options?: CallOptions): Reply<"deleteExportId"> {
    return call(this.#transport, "deleteExportId", { path: id }, options);
  }

  spread(query: Query<"getSpread">, options?: CallOptions): Reply<"getSpread"> {
    return call(this.#transport, "getSpread", { query }, options);
  }

  spreadCompare(query: Query<"getSpreadCompare">, options?: CallOptions): Reply<"getSpreadCompare"> {
    return call(this.#transport, "getSpreadCompare", { query }, options);
  }

  /** How complete the prices of each source are, and how they compare, day by day. */
  quality(query: Query<"getQuality">, options?: CallOptions): Reply<"getQuality"> {
    return call(this.#transport, "getQuality", { query }, options);
  }

  /** The condition of every symbol and source on a day, the worst first. */
  qualityDay(query: Query<"getQualityDay"> = {}, options?: CallOptions): Reply<"getQualityDay"> {
    return call(this.#transport, "getQualityDay", { query }, options);
  }

  /** One indicator at the latest closed bar. */
  indicator(query: Query<"getIndicator">, options?: CallOptions): Reply<"getIndicator"> {
    return call(this.#transport, "getIndicator", { query }, options);
  }

  /** All indicators of one symbol. */
  indicators(query: Query<"getIndicators">, options?: CallOptions): Reply<"getIndicators"> {
    return call(this.#transport, "getIndicators", { query }, options);
  }

  indicatorsList(options?: CallOptions): Reply<"getIndicatorsList"> {
    return call(this.#transport, "getIndicatorsList", {}, options);
  }

  /** One indicator over past bars: see also `readings`. */
  indicatorHistory(query: Query<"getIndicatorHistory">, options?: CallOptions): Reply<"getIndicatorHistory"> {
    return call(this.#transport, "getIndicatorHistory", { query }, options);
  }

  multi(query: Query<"getMulti">, options?: CallOptions): Reply<"getMulti"> {
    return call(this.#transport, "getMulti", { query }, options);
  }

  screener(query: Query<"getScreener">, options?: CallOptions): Reply<"getScreener"> {
    return call(this.#transport, "getScreener", { query }, options);
  }

  summary(query: Query<"getSummary">, options?: CallOptions): Reply<"getSummary"> {
    return call(this.#transport, "getSummary", { query }, options);
  }

  /** Currency strength, or the correlations of currencies or symbols. */
  heatmap(query: Query<"getHeatmap"> = {}, options?: CallOptions): Reply<"getHeatmap"> {
    return call(this.#transport, "getHeatmap", { query }, options);
  }

  sessions(query: Query<"getSessions"> = {}, options?: CallOptions): Reply<"getSessions"> {
    return call(this.#transport, "getSessions", { query }, options);
  }

  calendar(query: Query<"getCalendar"> = {}, options?: CallOptions): Reply<"getCalendar"> {
    return call(this.#transport, "getCalendar", { query }, options);
  }

  /** Whether a release is near: the window around it, and the next one. */
  calendarWindow(query: Query<"getCalendarWindow"> = {}, options?: CallOptions): Reply<"getCalendarWindow"> {
    return call(this.#transport, "getCalendarWindow", { query }, options);
  }

  /** The calendar as iCalendar text. */
  calendarFeed(query: Query<"getCalendarIcs"> = {}, options?: CallOptions): Reply<"getCalendarIcs"> {
    return call(this.#transport, "getCalendarIcs", { query }, options);
  }

  calendarSubscription(options?: CallOptions): Reply<"getCalendarSubscription"> {
    return call(this.#transport, "getCalendarSubscription", {}, options);
  }

  /** The account of the key, and what it has used today. */
  account(options?: CallOptions): Reply<"getMonitorAccount"> {
    return call(this.#transport, "getMonitorAccount", {}, options);
  }

  layout(options?: CallOptions): Reply<"getMonitorLayout"> {
    return call(this.#transport, "getMonitorLayout", {}, options);
  }

  saveLayout(body: Body<"putMonitorLayout">, options?: CallOptions): Reply<"putMonitorLayout"> {
    return call(this.#transport, "putMonitorLayout", { body }, options);
  }

  /** The alerts of the account, newest first. */
  alerts(options?: CallOptions): Reply<"getAlerts"> {
    return call(this.#transport, "getAlerts", {}, options);
  }

  createAlert(body: Body<"postAlerts">, options?: CallOptions): Reply<"postAlerts"> {
    return call(this.#transport, "postAlerts", { body }, options);
  }

  /** One alert, with its log. */
  alert(id: string, options?: CallOptions): Reply<"getAlertsAlert"> {
    return call(this.#transport, "getAlertsAlert", { path: id }, options);
  }

  /** Changes the given settings of an alert. */
  changeAlert(id: string, body: Body<"patchAlertsAlert">, options?: CallOptions): Reply<"patchAlertsAlert"> {
    return call(this.#transport, "patchAlertsAlert", { path: id, body }, options);
  }

  deleteAlert(id: string, options?: CallOptions): Reply<"deleteAlertsAlert"> {
    return call(this.#transport, "deleteAlertsAlert", { path: id }, options);
  }

  webhooks(options?: CallOptions): Reply<"getWebhooks"> {
    return call(this.#transport, "getWebhooks", {}, options);
  }

  /** Creates a webhook. The answer has its secret, which no other answer has. */
  createWebhook(body: Body<"postWebhooks">, options?: CallOptions): Reply<"postWebhooks"> {
    return call(this.#transport, "postWebhooks", { body }, options);
  }

  /** Sends a test message to a webhook. */
  testWebhook(id: string, options?: CallOptions): Reply<"postWebhooksWebhook"> {
    return call(this.#transport, "postWebhooksWebhook", { path: id }, options);
  }

  deleteWebhook(id: string, options?: CallOptions): Reply<"deleteWebhooksWebhook"> {
    return call(this.#transport, "deleteWebhooksWebhook", { path: id }, options);
  }

  openapi(options?: CallOptions): Reply<"getOpenapiJson"> {
    return call(this.#transport, "getOpenapiJson", {}, options);
  }

  health(options?: CallOptions): Reply<"getHealth"> {
    return call(this.#transport, "getHealth", {}, options);
  }

  /** Whether the service can do its work: `meta.status` is 503 while it cannot. */
  ready(options?: CallOptions): Reply<"getReady"> {
    return call(this.#transport, "getReady", { accepted: 503 }, options);
  }

  /** All bars of a range, however many pages they are. */
  bars(query: BarQuery, options?: CallOptions): AsyncGenerator<Candle, void, undefined> {
    return iterateBars(this, query, options);
  }

  /** All ticks of a range, hour by hour. */
  ticksBetween(query: TickQuery, options?: CallOptions): AsyncGenerator<Tick, void, undefined> {
    return iterateTicks(this, query, options);
  }

  /** An indicator at all bars of a range. */
  readings(query: ReadingQuery, options?: CallOptions): AsyncGenerator<Reading, void, undefined> {
    return iterateReadings(this, query, options);
  }

  /** All events of a window of the calendar. */
  events(query?: EventQuery, options?: CallOptions): AsyncGenerator<CalendarEvent, void, undefined> {
    return iterateEvents(this, query, options);
  }

  /** All symbols that match. */
  allSymbols(query?: SymbolQuery, options?: CallOptions): AsyncGenerator<ListedSymbol, void, undefined> {
    return iterateSymbols(this, query, options);
  }
}
