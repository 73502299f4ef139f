import { writeCode } from "@/components/shared/api-call/write-code";
import { ORIGIN_MARK } from "@/features/docs/document";
import { formatCode } from "@/features/docs/markdown";

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
[openapi.json](/v1/openapi.json) describes every endpoint in OpenAPI 3.1: generators such as \`openapi-typescript\` and
\`@hey-api/openapi-ts\` make typed clients of it. Every page here is also Markdown: add \`.md\` to its address.
[llms.txt](/llms.txt) lists them all.`;
