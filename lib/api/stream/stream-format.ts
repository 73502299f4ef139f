import type { SymbolPrice, SymbolSet } from "@/lib/api/stream/price-changes";

/** How a stream is written: as server-sent events or as WebSocket messages. */
export interface StreamFormat {
  /** Everything that the reader then has. */
  snapshot(set: SymbolSet, position: string): string;
  /** What has changed after `from`; null if nothing has. */
  changes(set: SymbolSet, from: number, position: string): string | null;
  heartbeat(time: string): string;
}

/** The state of a symbol, as the headers X-Quote-State and X-Data-Mode have it; "none" is before the first quote. */
function formatState({ symbol, quote }: SymbolPrice): string {
  if (quote === undefined) return `{"symbol":"${symbol}","state":"none","data_mode":null}`;
  return `{"symbol":"${symbol}","state":"${quote.state}","data_mode":"${quote.mode}"}`;
}

function formatAll({ prices }: SymbolSet): string {
  const quotes = prices.flatMap(({ quote }) => quote?.json ?? []);
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

const writePriceEvent = ({ quote }: SymbolPrice) => `event: quote\ndata: ${quote?.json ?? ""}\n\n`;
const writeStateEvent = (price: SymbolPrice) => `event: state\ndata: ${formatState(price)}\n\n`;

/** Server-sent events. The last event of what is sent together has the position: the ones before it are not complete. */
export const eventFormat: StreamFormat = {
  snapshot: (set, position) => `id: ${position}\nevent: snapshot\ndata: {${formatAll(set)}}\n\n`,
  changes({ prices }, from, position) {
    let text = "";
    let last = "";
    for (const price of prices) {
      if (price.changedAt <= from) continue;
      if (price.priceAt > from && price.quote !== undefined) {
        text += last;
        last = keepText(price, PRICE, writePriceEvent);
      }
      if (price.stateAt > from) {
        text += last;
        last = keepText(price, STATE, writeStateEvent);
      }
    }
    return last === "" ? null : `${text}id: ${position}\n${last}`;
  },
  heartbeat: (time) => `event: heartbeat\ndata: {"time":"${time}"}\n\n`,
};

/** Messages of a WebSocket: JSON, each with the position after it. */
export const messageFormat: StreamFormat = {
  snapshot: (set, position) => `{"type":"snapshot","id":"${position}",${formatAll(set)}}`,
  changes({ prices }, from, position) {
    let quotes = "";
    let states = "";
    for (const price of prices) {
      if (price.changedAt <= from) continue;
      if (price.priceAt > from && price.quote !== undefined) quotes += `${quotes && ","}${price.quote.json}`;
      if (price.stateAt > from) states += `${states && ","}${keepText(price, formatState, formatState)}`;
    }
    if (quotes === "" && states === "") return null;
    return `{"type":"update","id":"${position}","quotes":[${quotes}],"states":[${states}]}`;
  },
  heartbeat: (time) => `{"type":"heartbeat","time":"${time}"}`,
};
