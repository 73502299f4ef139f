import type { VenueConnection } from "@/e2e/venues/kit/connection";
import type { Transport } from "@/e2e/venues/kit/scenario";
import type { DayTick } from "@/e2e/venues/recorded/recorded-day";
import { WIRE_FORMATS } from "@/e2e/venues/recorded/wire-formats";
import type { Feed } from "@/lib/feeds/feed";
import type { VenueTimes } from "@/lib/feeds/live/connector";
import type { LiveContext } from "@/lib/feeds/live/live-feed";
import { createWebSocketFeed, type WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { binance } from "@/lib/feeds/venues/binance";
import { coinbase } from "@/lib/feeds/venues/coinbase";
import { createCtraderFeed } from "@/lib/feeds/venues/ctrader";
import { deriv } from "@/lib/feeds/venues/deriv";
import { kraken } from "@/lib/feeds/venues/kraken";
import { massive } from "@/lib/feeds/venues/massive";
import { createOandaFeed } from "@/lib/feeds/venues/oanda";
import { tiingo } from "@/lib/feeds/venues/tiingo";
import { traderMade } from "@/lib/feeds/venues/tradermade";
import { twelveData } from "@/lib/feeds/venues/twelve-data";

/** A connector and how its venue behaves, for the tests that are the same for all of them. */
export interface ContractCase {
  /** The name of the venue's scenario file. */
  readonly name: string;
  readonly transport: Transport;
  /** Whether the venue's prices have times of their own. */
  readonly hasTimes: boolean;
  /** Everything that it signs in with; empty for venues without accounts. */
  readonly secrets: readonly string[];
  create(context: LiveContext, options: { url: string; times: VenueTimes; dataDir: string }): Feed;
  /** A price of EURUSD as the venue sends it. */
  format(tick: DayTick): string;
  /** Messages that are no prices, with the present time where the venue sends one. They may hold variables. */
  readonly quiet: readonly string[];
  /** Refuses the credentials, and repeats them in its words. */
  refuse(connection: VenueConnection, echo: string): Promise<void> | void;
}

const TOKEN = 'to"ken&of-the-test';
const CREDENTIALS = { clientId: "client-51", clientSecret: "client-secret-52", account: "712345" };
const TOKENS = { accessToken: "access-token-53", refreshToken: "refresh-token-54" };
/** A token of OANDA is a part of a header. */
const OANDA = { token: "0123abcd-oanda-token", account: "101-001-1-001" };

interface WebSocketCase extends Pick<ContractCase, "name" | "quiet"> {
  readonly venue: WebSocketVenue;
  /** EURUSD in the venue's spelling. */
  readonly symbol: string;
  readonly path?: string;
  /** The venue's refusal of a key as a message; left out where no key is needed. */
  readonly refusal?: (echo: string) => unknown;
}

function defineCase({ name, quiet, venue, symbol, path = "", refusal }: WebSocketCase): ContractCase {
  const token = refusal === undefined ? "" : TOKEN;
  return {
    ...{ name, quiet, transport: "websocket", hasTimes: name !== "binance", secrets: token === "" ? [] : [token] },
    create: (context, { url, times }) =>
      createWebSocketFeed(venue, { ...context, name, times, token, symbols: [symbol], url: `${url}${path}` }),
    format: WIRE_FORMATS[name] ?? String,
    refuse: (connection, echo) => connection.send(JSON.stringify(refusal?.(echo))),
  };
}

export const CONTRACT_CASES: readonly ContractCase[] = [
  {
    ...defineCase({ name: "binance", venue: binance, symbol: "EURUSD", path: "/stream", quiet: ['{"result":null}'] }),
    // Its messages are numbered, and have no time.
    format({ timeMs, bid, ask }) {
      const data = { u: timeMs, s: "EURUSD", b: String(bid), B: "1.0", a: String(ask), A: "1.0" };
      return JSON.stringify({ stream: "eurusd@bookTicker", data });
    },
  },
  defineCase({
    ...{ name: "coinbase", venue: coinbase, symbol: "EUR-USD" },
    quiet: ['{"type":"heartbeat","sequence":$seq,"product_id":"EUR-USD","time":"$iso"}'],
  }),
  defineCase({
    ...{ name: "deriv", venue: deriv, symbol: "frxEURUSD" },
    quiet: [
      '{"msg_type":"ping","ping":"pong"}',
      '{"msg_type":"tick","tick":{"symbol":"frxEURUSD","quote":1.5,"epoch":$seconds}}',
    ],
  }),
  defineCase({
    ...{ name: "kraken", venue: kraken, symbol: "EUR/USD" },
    quiet: [
      '{"channel":"heartbeat"}',
      '{"channel":"ticker","type":"snapshot","data":[{"symbol":"EUR/USD","bid":1.11,"ask":1.12}]}',
    ],
  }),
  defineCase({
    ...{ name: "massive", venue: massive, symbol: "EUR/USD" },
    quiet: ['[{"ev":"status","status":"success"}]', '[{"ev":"CA","pair":"EUR/USD","o":1.1,"e":$now}]'],
    refusal: (echo) => [{ ev: "status", status: "error", message: echo }],
  }),
  defineCase({
    ...{ name: "tiingo", venue: tiingo, symbol: "eurusd" },
    quiet: ['{"messageType":"H","response":{"code":200,"message":"HeartBeat"}}'],
    refusal: (echo) => ({ messageType: "E", response: { code: 401, message: `Invalid token ${echo}` } }),
  }),
  defineCase({
    ...{ name: "tradermade", venue: traderMade, symbol: "EURUSD" },
    quiet: ['{"type":"notice","text":"hello","ts":"$fixtime"}'],
    refusal: (echo) => ({ type: "sub_ack", invalid: [echo] }),
  }),
  defineCase({
    ...{ name: "twelve-data", venue: twelveData, symbol: "EUR/USD" },
    path: "/v1/quotes/price",
    quiet: [
      '{"event":"heartbeat","status":"ok"}',
      '{"event":"price","symbol":"EUR/USD","timestamp":$seconds,"price":1.1}',
    ],
    refusal: (echo) => ({ event: "error", code: "401", message: `Your API key ${echo} is incorrect` }),
  }),
  {
    ...{ name: "oanda", transport: "http", hasTimes: true, secrets: Object.values(OANDA) },
    create: (context, options) =>
      createOandaFeed({ ...context, ...options, ...OANDA, name: "oanda", symbols: ["EUR_USD"], server: "practice" }),
    format: WIRE_FORMATS.oanda ?? String,
    quiet: [
      '{"type":"HEARTBEAT","time":"$iso"}',
      '{"type":"PRICE","time":"$iso","bids":[{"price":"1.1"}],"asks":[],"instrument":"EUR_USD"}',
      '{"type":"NEWS","time":"$iso","instrument":"EUR_USD"}',
    ],
    async refuse(connection, echo) {
      connection.answer(401, { "content-type": "application/json" });
      await connection.send(JSON.stringify({ errorMessage: `Wrong: ${echo}` }));
      await connection.close();
    },
  },
  {
    ...{ name: "ctrader", transport: "websocket", hasTimes: true },
    secrets: [...Object.values(CREDENTIALS), ...Object.values(TOKENS)],
    create: (context, options) =>
      createCtraderFeed({
        ...{ ...context, ...options, ...CREDENTIALS, ...TOKENS },
        ...{ name: "ctrader", symbols: ["EURUSD"], server: "demo" },
      }),
    format: WIRE_FORMATS.ctrader ?? String,
    quiet: ['{"payloadType":51}', '{"payloadType":2131,"payload":{"symbolId":14,"timestamp":$now}}'],
    refuse: (connection, echo) =>
      connection.send(
        JSON.stringify({ payloadType: 2142, payload: { errorCode: "CH_CLIENT_AUTH_FAILURE", description: echo } }),
      ),
  },
];
