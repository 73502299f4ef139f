import type { ApiError } from "@/lib/api/engine/errors";
import type { SymbolPrice, SymbolSet } from "@/lib/api/stream/price-changes";
import type { FieldChoice, StreamField, StreamOptions } from "@/lib/api/stream/stream-options";
import type { ServedQuote } from "@/lib/book/quote";

/** How a stream is written: as server-sent events or as WebSocket messages. */
export interface StreamFormat {
  /** Whether it is written as server-sent events. */
  readonly isEvents: boolean;
  /** Everything that the reader then has. */
  snapshot(set: Pick<SymbolSet, "prices" | "options">, position: string): string;
  /** What has changed after `from`; null if nothing has. */
  changes(set: SymbolSet, from: number, position: string): string | null;
  /** Some texts of JSON; null without any. */
  update(texts: UpdateTexts, options: StreamOptions, position: string): string | null;
  /** How many changes were left out before the next ones; not exact if there may be more. */
  skipped(count: { readonly changes: number; readonly exact: boolean }): string;
  heartbeat(time: string): string;
}

/** A connection that takes a stream. */
export interface StreamReader {
  readonly format: StreamFormat;
  /** Bytes that the system has not taken yet. */
  countWaiting(): number;
  /** `onTaken` is called when the system has the bytes, or the connection is lost. */
  write(bytes: Buffer, onTaken?: () => void): void;
  /** Closes when everything is sent. */
  finish(): void;
  /** Sends the reason, and when to connect again, then closes. */
  end(reason: ApiError, retryMs: number): void;
  /** Closes at once. */
  destroy(): void;
}

/** What is sent together, each as JSON. */
export interface UpdateTexts {
  readonly quotes: readonly string[];
  readonly states: readonly string[];
  readonly bars: readonly string[];
  readonly releases: readonly string[];
  readonly gaps: readonly string[];
}

/** The state of a symbol, as the headers X-Quote-State and X-Data-Mode have it; "none" is before the first quote. */
export function formatState({ symbol, source, quote }: Pick<SymbolPrice, "symbol" | "source" | "quote">): string {
  const whose = source === null ? "" : `,"source":"${source}"`;
  if (quote === undefined) return `{"symbol":"${symbol}"${whose},"state":"none","data_mode":null}`;
  return `{"symbol":"${symbol}"${whose},"state":"${quote.state}","data_mode":"${quote.mode}"}`;
}

function formatAll({ prices, options }: Pick<SymbolSet, "prices" | "options">): string {
  const quotes = prices.flatMap((price) => (price.quote === undefined ? [] : formatQuote(price, options.fields)));
  return `"quotes":[${quotes.join(",")}],"states":[${prices.map(formatState).join(",")}]`;
}

/** Texts that are kept with a price, by these keys: an event of its price, and one of its state. */
const PRICE = {};
const STATE = {};

function keepText(price: SymbolPrice, kind: object, write: (price: SymbolPrice) => string): string {
  let text = price.texts.get(kind);
  if (text === undefined) {
    text = write(price);
    price.texts.set(kind, text);
  }
  return text;
}

/** Writes the quote of a price that has one. */
export function formatQuote(price: SymbolPrice, fields: FieldChoice | null): string {
  if (fields === null) return price.quote?.json ?? "";
  return keepText(price, fields.json, ({ symbol, source, quote }) => {
    if (quote === undefined) return "";
    const whose = source === null ? {} : { source };
    const chosen = fields.names.map((name) => [name, READ[name](quote)]);
    return JSON.stringify({ symbol, ...whose, ...Object.fromEntries(chosen) });
  });
}

const READ: Readonly<Record<StreamField, (quote: ServedQuote) => number | string>> = {
  bid: ({ bid }) => bid,
  ask: ({ ask }) => ask,
  spread: ({ spread }) => spread,
  spread_pips: ({ spreadPips }) => spreadPips,
  timestamp: ({ timeMs }) => new Date(timeMs).toISOString(),
  source: ({ source }) => source,
};

const writeStateEvent = (price: SymbolPrice) => `event: state\ndata: ${formatState(price)}\n\n`;

/** Server-sent events. The last event of what is sent together has the position: the ones before it are not complete. */
export const eventFormat: StreamFormat = {
  isEvents: true,
  snapshot: (set, position) => `id: ${position}\nevent: snapshot\ndata: {${formatAll(set)}}\n\n`,
  changes(set, from, position) {
    const { fields } = set.options;
    const writePriceEvent = (price: SymbolPrice) => `event: quote\ndata: ${formatQuote(price, fields)}\n\n`;
    let text = "";
    let last = "";
    const add = (event: string) => {
      text += last;
      last = event;
    };
    for (const price of set.prices) {
      if (price.changedAt <= from) continue;
      if (price.priceAt > from && price.quote !== undefined)
        add(keepText(price, fields?.event ?? PRICE, writePriceEvent));
      if (price.stateAt > from) add(keepText(price, STATE, writeStateEvent));
    }
    for (const bar of set.listBars(from)) add(`event: bar\ndata: ${bar}\n\n`);
    for (const release of set.listReleases(from)) add(`event: release\ndata: ${release}\n\n`);
    for (const gap of set.listGaps(from)) add(`event: gap\ndata: ${gap}\n\n`);
    return last === "" ? null : `${text}id: ${position}\n${last}`;
  },
  update({ quotes, states, bars, releases, gaps }, _, position) {
    const named = { quote: quotes, state: states, bar: bars, release: releases, gap: gaps };
    const events = Object.entries(named).flatMap(([name, texts]) =>
      texts.map((text) => `event: ${name}\ndata: ${text}\n\n`),
    );
    const last = events.pop();
    return last === undefined ? null : `${events.join("")}id: ${position}\n${last}`;
  },
  skipped: (count) => `event: skipped\ndata: ${JSON.stringify(count)}\n\n`,
  heartbeat: (time) => `event: heartbeat\ndata: {"time":"${time}"}\n\n`,
};

/** Messages of a WebSocket: JSON, each with the position after it. */
export const messageFormat: StreamFormat = {
  isEvents: false,
  snapshot: (set, position) => `{"type":"snapshot","id":"${position}",${formatAll(set)}}`,
  changes(set, from, position) {
    const { fields } = set.options;
    let quotes = "";
    let states = "";
    for (const price of set.prices) {
      if (price.changedAt <= from) continue;
      if (price.priceAt > from && price.quote !== undefined) quotes += `${quotes && ","}${formatQuote(price, fields)}`;
      if (price.stateAt > from) states += `${states && ","}${keepText(price, formatState, formatState)}`;
    }
    const others = [set.listBars(from).join(), set.listReleases(from).join(), set.listGaps(from).join()] as const;
    if (quotes === "" && states === "" && others.every((text) => text === "")) return null;
    return formatUpdate(position, [quotes, states, ...others], set.options);
  },
  update({ quotes, states, bars, releases, gaps }, options, position) {
    const texts = [quotes.join(), states.join(), bars.join(), releases.join(), gaps.join()] as const;
    return texts.every((text) => text === "") ? null : formatUpdate(position, texts, options);
  },
  skipped: (count) => JSON.stringify({ type: "skipped", ...count }),
  heartbeat: (time) => `{"type":"heartbeat","time":"${time}"}`,
};

function formatUpdate(
  position: string,
  [quotes, states, ...others]: readonly [string, string, string, string, string],
  options: StreamOptions,
): string {
  return `{"type":"update","id":"${position}","quotes":[${quotes}],"states":[${states}]${formatOthers(others, options)}}`;
}

/** The members of a message beside quotes and states: those of the options, and gaps where there are any. */
export function formatOthers(
  [bars, releases, gaps]: readonly [bars: string, releases: string, gaps: string],
  { hasBars, events }: Pick<StreamOptions, "hasBars" | "events">,
): string {
  return (
    (hasBars ? `,"bars":[${bars}]` : "") +
    (events === null ? "" : `,"releases":[${releases}]`) +
    (gaps === "" ? "" : `,"gaps":[${gaps}]`)
  );
}
