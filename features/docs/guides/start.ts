import { writeCode } from "@/components/shared/write-code";
import { formatCode, ORIGIN_MARK } from "@/features/docs/document";

const QUOTE = { path: "/v1/quote", query: { symbol: "EURUSD" } };
const BARS = { path: "/v1/ohlc", query: { symbol: "EURUSD", timeframe: "H1", limit: 24 } };
const MANY = { path: "/v1/quotes", body: { symbols: ["EURUSD", "GBPUSD", "XAUUSD"] } };

/** Every block of code runs as it stands, with a key in SPOTLINE_KEY: a test runs them all. */
export const QUICK_START = `# Spotline API

Prices, history, indicators, spreads and economic events as JSON, from the sources that this installation is connected
to. Every call is one HTTP request below \`${ORIGIN_MARK}\`, every time is UTC, and every price says how old it is.

## The first call, in five minutes

**1. Create a key.** Sign in, open [API keys](/keys) and create one. Its secret is shown once. No account yet?
[Create one](/sign-up), if the operator lets visitors do so.

**2. Put it into the environment**, so that it is in no program:

~~~
export SPOTLINE_KEY=fxk_live_…
~~~

**3. Ask for a quote:**

${formatCode("sh", writeCode("curl", ORIGIN_MARK, QUOTE))}

The answer is an object with \`success\` and \`data\`. \`timestamp\` is when the broker made the price, and \`source\` is the
broker. The header \`X-Quote-State\` says whether the price is live, delayed, stale or closed: see
[freshness and data modes](/docs/freshness).

**4. The same from a program.** In TypeScript, with Node 18 or newer:

${formatCode("ts", `${writeCode("TypeScript", ORIGIN_MARK, QUOTE)}\nconsole.log(data.bid, data.ask);`)}

In Python:

${formatCode("python", `${writeCode("Python", ORIGIN_MARK, QUOTE)}\nprint(data["bid"], data["ask"])`)}

**5. Many symbols with one call** cost one call of your limits, not one each:

${formatCode("sh", writeCode("curl", ORIGIN_MARK, MANY))}

**6. A day of bars:**

${formatCode("ts", `${writeCode("TypeScript", ORIGIN_MARK, BARS)}\nfor (const { time, close } of data.candles) console.log(time, close);`)}

## What to read next

- [Clients](/docs/clients): TypeScript and Python, with streams and all pages
- [Agents](/docs/agents): tools for programs with a language model
- [Limits and credits](/docs/limits-and-credits): how many calls a key may make, and what they cost
- [Freshness and data modes](/docs/freshness): which prices to trust
- [Paging through history](/docs/paging-history): more bars and ticks than one answer has
- [Errors](/docs/errors): every code, and what to do about it
- [Spreadsheets](/docs/spreadsheets): Google Sheets and Excel
- [Changelog](/docs/changelog)

## Clients and descriptions

The [clients](/docs/clients) for TypeScript and Python have a method for every endpoint.
[openapi.json](/v1/openapi.json) describes every endpoint in OpenAPI 3.1: a generator such as \`openapi-typescript\` makes
types of it for other clients. Every page here is also Markdown: add \`.md\` to its address. [llms.txt](/llms.txt) lists
them all.`;

export const REQUESTS = `# Requests and answers

## How values are written

**Symbols** in any spelling of a broker: \`EURUSD\`, \`eur/usd\`, \`EURUSD.pro\`. Answers have the canonical one.

**Timeframes** as \`H1\`, \`h1\`, \`1h\`, \`1hour\`, \`hourly\` or, in minutes, \`60\`; \`D\`, \`W\` and \`MN\` are \`D1\`, \`W1\` and \`MN1\`.
Answers have \`H1\`. \`1M\` is refused: in other programs it is a month.

**Times** in ISO 8601, in UTC unless they have an offset, or in Unix seconds or milliseconds: \`2026-01-15T10:00:00Z\`,
\`1768471200\`, \`1768471200000\`. Answers are in UTC: times of bars end in \`Z\`, those of ticks and of the calendar in \`+00:00\`.

**Lists** with commas between, in any order: \`include=origin,gaps\`.

**Names** as the reference has them. What other services call the same, such as \`granularity\`, \`interval\`, \`currency\` or
\`count\`, and other spellings such as \`symbol[]\` are refused with the right name. Any other unknown parameter, and any unknown
field of a body, is ignored and named in the header \`X-Ignored-Params\`.

## The key

Send it in the header \`X-API-Key\`, or as \`Authorization: Bearer\`. Two different keys in one call are refused. A key in the
address is not read, since addresses are logged.

## Formats

Answers are JSON; those with a table are CSV with \`format=csv\` or \`Accept: text/csv\`. An \`Accept\` of formats that the endpoint
does not have, such as Parquet, Arrow or NDJSON, is refused with 406. [Exports](/docs/reference/export) are Parquet too.

## Answers that do not change

Closed bars and ticks, indicator history, symbols, lists of indicators, currency strength, calendars and the sessions of a
named time have an \`ETag\`. Send it back, and an unchanged answer is a 304 without a body, which does not count against the
day:

\`\`\`bash
curl -i -H "X-API-Key: $SPOTLINE_KEY" -H 'If-None-Match: "cwX5BoNbrYYk0OZ7bLvxGvHJmLs"' "${ORIGIN_MARK}/v1/symbols"
\`\`\`

\`If-None-Match\` may have several tags, weak ones, or \`*\`. Current prices have no tag: they change before anyone could
ask again.

## Compression

Answers of a kilobyte and more are compressed with Brotli or gzip if \`Accept-Encoding\` allows it. Most libraries send that
header; curl needs an option for it.

## From a browser

Pages of other sites may call the API if the operator has allowed their origins, or if the key lists them as its allowed
origins. A key with such a list is refused with \`ORIGIN_NOT_ALLOWED\` on pages of all other origins. That protects a key
that visitors can read against use on other sites; programs outside browsers send any origin they like, so give such a key
few endpoints and symbols, and limits of its own. Then \`fetch\` works as on a server, with
the key in its header, and reads all headers. Everyone who opens such a page can read its key, so give it a key of its own
with few scopes and symbols and a small limit.

## Your own ids

Send \`X-Request-Id\`, up to 64 letters, digits and \`. _ : -\`, and the answer and the server’s log have it. Without one
the server makes an id. A valid \`traceparent\` (W3C Trace Context) is sent back, too.

## Methods

\`HEAD\` has the headers of \`GET\`. \`OPTIONS\` needs no key and lists the methods of a path in \`Allow\`.`;

export const PAGING = `# Paging through history

## Bars

One answer of [GET /v1/ohlc](/docs/reference/ohlc) has at most 1,000 bars. With \`from\` it has the first bars of the range.
If the range has more, \`next_from\` is the \`from\` of the next call, and the header \`Link\` has the whole call with
\`rel="next"\`:

\`\`\`python
import os, requests

url = "${ORIGIN_MARK}/v1/ohlc"
headers = {"X-API-Key": os.environ["SPOTLINE_KEY"]}
query = {"symbol": "EURUSD", "timeframe": "M1", "from": "2026-01-05T00:00:00Z", "to": "2026-01-10T00:00:00Z", "limit": 1000}
bars = []
while True:
    page = requests.get(url, headers=headers, params=query).json()["data"]
    bars += page["candles"]
    if "next_from" not in page:
        break
    query["from"] = page["next_from"]
\`\`\`

[GET /v1/indicator/history](/docs/reference/indicator-history) has both as well, with up to 5,000 bars.

The bar that is still filling is the last one when the range reaches the present: its high, low, close and volume will
change. Leave it out with \`to\`.

## Ticks

[GET /v1/ticks](/docs/reference/ticks) has at most one hour in one answer. Ask hour by hour: \`from\` is in the range and
\`to\` is not, so hours meet without doubles. A second without a price has no row.

## Lists

Symbols, the screener and the calendar have \`offset\` and \`limit\`, and \`pagination\` in the answer. Go on with
\`offset + limit\` while \`has_more\` is true.

## How far back

How long bars and ticks are stored is a setting of the installation; \`retention\` of [GET /v1/ohlc](/docs/reference/ohlc)
has it for bars. A range that begins earlier is cut: \`from\` in the answer is where the stored bars begin, and the header
\`X-Coverage\` counts what there is. A range that ends earlier is refused with 400 \`DATA_OUTSIDE_RETENTION\`, whose
\`earliest_available\` is the first moment that is stored.`;

export const FRESHNESS = `# Freshness and data modes

A wrong price is worse than none. So every price has its own time, and says how far to trust it.

## The state of a quote

\`timestamp\` is when the source made the price, not when you asked. The header \`X-Quote-State\` has one of four words,
and \`X-Quote-Age-Ms\` the age in milliseconds:

| State | Meaning | What to do |
| --- | --- | --- |
| \`live\` | The price is new. | Use it. |
| \`delayed\` | The source is late, but still sends. | Use it with care; do not trade on it. |
| \`stale\` | Nothing has come for too long, though the market is open. | Treat it as missing. |
| \`closed\` | The market is closed. | It is the last price before the close. |

An answer with several prices has the worst of their states and the age of the oldest.

## The bar of a reading

An indicator, a row of the [screener](/docs/reference/screener), a [summary](/docs/reference/summary) and
[currency strength](/docs/reference/heatmap) are of the latest closed bar, which may be much older than the quote beside
it: after an outage, or where old bars were imported and nothing came since. \`bar_time\` (\`timestamp\` of flat readings) is
when that bar opened, and \`metadata.data_age_seconds\` the age of the older of quote and close of the bar. The header
\`X-Bar-State\` is missing when the bar is the newest that the trading hours allow: on a weekend, Friday's last.
Otherwise it is:

| State | Meaning | What to do |
| --- | --- | --- |
| \`short\` | The values are made of the \`X-Bars-Used\` bars that are stored so far, fewer than indicators with a memory need. After the first start the past is filled in symbol by symbol. | Ask again later. |
| \`behind\` | A newer bar was possible. A market may also have had no price for a while. | Compare \`bar_time\`. |
| \`outdated\` | More than 20 newer bars were possible (M1: 60, D1: 10, W1: 4). | Do not use it as current. |

A summary of an outdated bar is refused with 404 \`DATA_NOT_FOUND\`. The screener lists outdated rows after all others.

An indicator starts anew after a hole in the bars: more than 20 bars (60 of M1) that the market had, and more than the
warm-up of the indicator, are missing. \`X-Bar-Holes\` names it, such as
\`EURUSD=2025-06-30T21:00:00Z/2026-11-27T14:00:00Z\`. With too few bars after it there is no value, and the error says so.
Whole sessions that are missing for up to five days are an exchange's holidays, and no hole. The hours do not
contain such holidays: on one of them, bars of its instruments are behind.

## Several sources

A plain quote comes from the first source that is live, in the order the operator has set. When that source goes stale,
the next one serves, and \`source\` names it. It is never an average. \`include_sources=true\` shows all sources with the
best bid and ask over the live ones; \`source=NAME\` asks for one source, however old its price is.

## Data modes

The header \`X-Data-Mode\` is missing when data is live. Otherwise it is:

| Mode | Meaning |
| --- | --- |
| \`simulated\` | Invented by the installation's own simulation, for trying things out. |
| \`replay\` | A recording, played again: the times are those of the recording. |
| \`as-of\` | The answer of [a second of the past](/docs/as-of). \`X-As-Of-Resolution\` says whether it was simulated. |

Answers about the past carry the mode of the data in their range, so a range that was simulated stays marked after real
sources were connected. Check it before you believe a backtest:

\`\`\`python
if response.headers.get("X-Data-Mode"):
    raise SystemExit("These prices are not live.")
\`\`\`

## Gaps

The header \`X-Coverage\` of [bars](/docs/reference/ohlc) and [ticks](/docs/reference/ticks) reads, for example, \`58/60\`: 58
rows of the 60 that there would be without gaps. \`include=gaps\` lists the holes in ticks.`;
