import { formatFixTime } from "@/e2e/venues/kit/fix-text";
import type { DayTick } from "@/e2e/venues/recorded/recorded-day";
import { SECOND_MS } from "@/lib/time/units";

/** Writes a tick as a venue sends it, for the step `feed` of its scenario “recorded day”. */
type WireFormat = (tick: DayTick) => string;

/** The broker's numbers of symbols, the same as in the scenarios. */
const LMAX_IDS: Readonly<Record<string, number>> = { eurusd: 4001, xauusd: 100_637 };
const CTRADER_FIX_IDS: Readonly<Record<string, number>> = { eurusd: 1, xauusd: 41 };
const CTRADER_IDS: Readonly<Record<string, number>> = { eurusd: 14, xauusd: 41 };
const CTRADER_UNITS = 100_000;

const pair = (symbol: string, separator: string) => `${symbol.slice(0, 3)}${separator}${symbol.slice(3)}`.toUpperCase();
const iso = ({ timeMs }: DayTick) => new Date(timeMs).toISOString();
const seconds = ({ timeMs }: DayTick) => Math.floor(timeMs / SECOND_MS);

/** Lets the kit number the messages in a field. */
const number = (text: string, field: string) => text.replace(`"${field}":0`, `"${field}":$seq`);

/** The time of a FIX message is the tick's, also where it has no time of its own. */
function writeSnapshot(tick: DayTick, symbol: string): string {
  const time = formatFixTime(tick.timeMs);
  const prices = `268=2|269=0|270=${tick.bid}|272=${time.slice(0, 8)}|273=${time.slice(9)}|269=1|270=${tick.ask}`;
  return `35=W|52=${time}|262=$in.262|${symbol}|${prices}`;
}

/**
 * By the name of the venue's scenario file. Binance has no times; Deriv and Twelve Data have whole seconds; all others
 * have milliseconds.
 */
export const WIRE_FORMATS: Readonly<Record<string, WireFormat>> = {
  kraken(tick) {
    const { bid, ask } = tick;
    const entry = { symbol: pair(tick.symbol, "/"), bid, bid_qty: 1, ask, ask_qty: 1, last: bid, timestamp: iso(tick) };
    return JSON.stringify({ channel: "ticker", type: "update", data: [entry] });
  },
  coinbase(tick) {
    const [bid, ask] = [String(tick.bid), String(tick.ask)];
    const product = { product_id: pair(tick.symbol, "-"), price: bid, best_bid: bid, best_ask: ask };
    return number(
      JSON.stringify({ type: "ticker", sequence: 0, ...product, time: iso(tick), trade_id: 1 }),
      "sequence",
    );
  },
  binance({ symbol, bid, ask }) {
    const data = { u: 0, s: symbol.toUpperCase(), b: String(bid), B: "1.0", a: String(ask), A: "1.0" };
    return number(JSON.stringify({ stream: `${symbol}@bookTicker`, data }), "u");
  },
  deriv(tick) {
    const { bid, ask } = tick;
    const symbol = `frx${tick.symbol.toUpperCase()}`;
    const prices = { ask, bid, epoch: seconds(tick), pip_size: 5, quote: bid, symbol };
    return JSON.stringify({
      msg_type: "tick",
      subscription: { id: tick.symbol },
      tick: { id: tick.symbol, ...prices },
    });
  },
  oanda(tick) {
    const level = (price: number) => [{ price: String(price), liquidity: 10_000_000 }];
    const sides = { bids: level(tick.bid), asks: level(tick.ask), status: "tradeable", tradeable: true };
    return JSON.stringify({ type: "PRICE", time: iso(tick), ...sides, instrument: pair(tick.symbol, "_") });
  },
  "fix-lmax": (tick) => writeSnapshot(tick, `48=${LMAX_IDS[tick.symbol]}|22=8`),
  "fix-ctrader": (tick) => writeSnapshot(tick, `55=${CTRADER_FIX_IDS[tick.symbol]}`),
  ctrader({ symbol, timeMs, bid, ask }) {
    const [bidUnits, askUnits] = [bid, ask].map((price) => Math.round(price * CTRADER_UNITS));
    const prices = { symbolId: CTRADER_IDS[symbol], bid: bidUnits, ask: askUnits, timestamp: timeMs };
    return JSON.stringify({ payloadType: 2131, payload: { ctidTraderAccountId: 712_345, ...prices } });
  },
  massive: ({ symbol, timeMs, bid, ask }) =>
    JSON.stringify([{ ev: "C", p: pair(symbol, "/"), x: 48, a: ask, b: bid, t: timeMs }]),
  tradermade({ symbol, timeMs, bid, ask }) {
    const prices = { b: String(bid), a: String(ask), ts: formatFixTime(timeMs) };
    return JSON.stringify({ t: "QUOTE", s: symbol.toUpperCase(), ...prices });
  },
  "twelve-data"(tick) {
    const { bid, ask } = tick;
    const symbol = pair(tick.symbol, "/");
    return JSON.stringify({ event: "price", symbol, type: "Currency", timestamp: seconds(tick), price: bid, bid, ask });
  },
  tiingo(tick) {
    const { symbol, bid, ask } = tick;
    const data = ["Q", symbol, iso(tick), 1_000_000, bid, (bid + ask) / 2, 1_000_000, ask];
    return JSON.stringify({ messageType: "A", service: "fx", data });
  },
};
