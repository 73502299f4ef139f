import { ORIGIN_MARK } from "@/features/docs/document";

export const MIGRATING = `# Coming from another service

Every call needs a key, in the header \`X-API-Key\` or as \`Authorization: Bearer\`, and every answer is \`{"success": true, "data": …}\` or
\`{"success": false, "error": …}\`. Numbers are JSON numbers, times are UTC. Symbols are accepted as other services write
them: \`EUR/USD\`, \`EUR_USD\`, \`C:EURUSD\`, \`EURUSD.FOREX\`. Answers have the canonical one, \`EURUSD\`. Parameters that are called
otherwise here are refused, with the name that they have here.

## TickAtlas

Paths, parameters and fields are the same. Give the SDK this base address and a key of this installation:

\`\`\`text
${ORIGIN_MARK}/v1
\`\`\`

What is different:

| TickAtlas | Here |
|---|---|
| Quotes are refreshed and cached | Quotes are the newest price. [X-Quote-State and X-Quote-Age-Ms](/docs/freshness) say how old it is |
| Simulated prices do not exist | An installation may fill symbols by a simulation, and marks them with \`X-Data-Mode: simulated\` |
| WebSocket \`/ws/v1/quotes\` | The same address; its messages are in [Streaming](/docs/streaming) |
| Limits of the TickAtlas plan | Limits of this installation's plan: [GET /v1/monitor/account](/docs/reference/monitor-account) |

## Twelve Data

\`apikey=…\` in the address becomes the header \`X-API-Key\`: an address ends up in logs.

| Twelve Data | Here |
|---|---|
| \`/price\`, \`/exchange_rate\` | [GET /v1/quote](/docs/reference/quote): \`bid\` and \`ask\` in place of one price |
| \`/price\` with several symbols, \`/batch\` | [POST /v1/quotes](/docs/reference/quotes), up to 100 symbols |
| \`/time_series\` | [GET /v1/ohlc](/docs/reference/ohlc), \`candles\` in place of \`values\` |
| \`interval=1min\`, \`1h\`, \`1day\`, \`1week\` | \`timeframe\` with the same values; answers have \`M1\`, \`H1\`, \`D1\`, \`W1\` |
| \`outputsize\` | \`limit\` |
| \`start_date\`, \`end_date\`, \`timezone\` | \`from\`, \`to\`, in UTC. The newest bar comes last |
| \`/rsi\`, \`/macd\`, \`/ema\` and others | [GET /v1/indicator](/docs/reference/indicator) and [its history](/docs/reference/indicator-history), such as \`RSI_14\`. Parameters are part of the name: [list of indicators](/docs/reference/indicators-list) |
| \`/forex_pairs\`, \`/symbol_search\` | [GET /v1/symbols](/docs/reference/symbols) with \`category\` and \`search\` |
| \`/api_usage\` | [GET /v1/monitor/account](/docs/reference/monitor-account) |
| \`wss://ws.twelvedata.com/v1/quotes/price\` | [WebSocket](/docs/streaming), with bid and ask in every message |
| \`"status": "error"\` in an answer with status 200 | The HTTP status says it: 4xx and 5xx, with a [code](/docs/errors) |

## OANDA v20

\`Authorization: Bearer …\` stays, with a key of this installation. There is no account in the path, and no trading.

| OANDA | Here |
|---|---|
| \`GET /v3/accounts/{id}/pricing?instruments=\` | [POST /v1/quotes](/docs/reference/quotes). Prices are numbers, not text |
| \`GET /v3/accounts/{id}/pricing/stream\` | [GET /v1/stream](/docs/streaming): server-sent events in place of JSON lines |
| \`"type": "HEARTBEAT"\` | The event \`heartbeat\`, every ten seconds. It does not make a price younger |
| \`"tradeable": false\` | \`state\` is \`closed\` |
| \`GET /v3/instruments/{i}/candles?granularity=H1&price=B\` | [GET /v1/ohlc](/docs/reference/ohlc) with \`timeframe=H1\`. Bars are made of bids; \`price=ask\` and \`price=mid\` have the others, up to 15 minutes |
| \`granularity=D\`, \`W\`, \`M\` | \`timeframe=D\`, \`W\`, \`MN\`. Days begin at 17:00 in New York, as in OANDA; weeks begin on Sunday |
| \`count\` up to 5,000 | \`limit\` up to 1,000; [paging](/docs/paging-history) has the rest |
| \`complete: false\` | The newest bar is still filling. \`to\` leaves it out |
| \`GET /v3/accounts/{id}/instruments\` | [GET /v1/symbols](/docs/reference/symbols): \`digits\` and \`pip_size\` |

OANDA can also be a source of this installation: its prices then come through the same calls, beside those of other
brokers.
`;
