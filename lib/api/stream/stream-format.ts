import type { SymbolPrice, SymbolSet } from "@/lib/api/stream/price-changes";
import type { FieldChoice, StreamField } from "@/lib/api/stream/stream-options";
import type { ServedQuote } from "@/lib/book/quote";

/** How a stream is written: as server-sent events or as WebSocket messages. */
export interface StreamFormat {
  /** Everything that the reader then has. */
  snapshot(set: SymbolSet, position: string): string;
  /** What has changed after `from`; null if nothing has. */
  changes(set: SymbolSet, from: number, position: string): string | null;
  heartbeat(time: string): string;
}

/** The state of a symbol, as the headers X-Quote-State and X-Data-Mode have it; "none" is before the first quote. */
function formatState({ symbol, source, quote }: SymbolPrice): string {
  const whose = source === null ? "" : `,"source":"${source}"`;
  if (quote === undefined) return `{"symbol":"${symbol}"${whose},"state":"none","data_mode":null}`;
  return `{"symbol":"${symbol}"${whose},"state":"${quote.state}","data_mode":"${quote.mode}"}`;
}

function formatAll({ prices, options }: SymbolSet): string {
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
function formatQuote(price: SymbolPrice, fields: FieldChoice | null): string {
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
    return last === "" ? null : `${text}id: ${position}\n${last}`;
  },
  heartbeat: (time) => `event: heartbeat\ndata: {"time":"${time}"}\n\n`,
};

/** Messages of a WebSocket: JSON, each with the position after it. */
export const messageFormat: StreamFormat = {
  snapshot: (set, position) => `{"type":"snapshot","id":"${position}",${formatAll(set)}}`,
  changes(set, from, position) {
    const { fields, hasBars, events } = set.options;
    let quotes = "";
    let states = "";
    for (const price of set.prices) {
      if (price.changedAt <= from) continue;
      if (price.priceAt > from && price.quote !== undefined) quotes += `${quotes && ","}${formatQuote(price, fields)}`;
      if (price.stateAt > from) states += `${states && ","}${keepText(price, formatState, formatState)}`;
    }
    const bars = set.listBars(from).join();
    const releases = set.listReleases(from).join();
    if (quotes === "" && states === "" && bars === "" && releases === "") return null;
    const more = (hasBars ? `,"bars":[${bars}]` : "") + (events === null ? "" : `,"releases":[${releases}]`);
    return `{"type":"update","id":"${position}","quotes":[${quotes}],"states":[${states}]${more}}`;
  },
  heartbeat: (time) => `{"type":"heartbeat","time":"${time}"}`,
};
