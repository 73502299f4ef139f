import { ORIGIN_MARK } from "@/features/docs/document";

export const AS_OF = `# Any second of the past

With \`at\`, a call is answered as it would have been at a second of the past: with the prices, the sources, the bars and
the calendar that were known then. A program that reads \`/v1\` live can be run against last Tuesday with one parameter
more.

\`\`\`sh
curl -H "X-API-Key: $SPOTLINE_KEY" "${ORIGIN_MARK}/v1/quote?symbol=EURUSD&include_sources=true&at=2026-11-20T13:30:00Z"
\`\`\`

These calls take it: [quote](/docs/reference/quote), [quotes](/docs/reference/quotes) (in the query string),
[symbols](/docs/reference/symbols), [ohlc](/docs/reference/ohlc), [spread](/docs/reference/spread),
[spread/compare](/docs/reference/spread-compare), [indicator](/docs/reference/indicator),
[indicators](/docs/reference/indicators), [multi](/docs/reference/multi), [screener](/docs/reference/screener),
[summary](/docs/reference/summary), [heatmap](/docs/reference/heatmap) and [calendar](/docs/reference/calendar).
[sessions](/docs/reference/sessions) has its own \`at\`: it follows from the hours of the exchanges alone, so it costs what a
call of now does and may be in the future.

\`at\` is ISO 8601, UTC unless it names an offset, or Unix seconds or milliseconds. Fractions of a second are dropped. A call
with it costs 3 credits. It needs the scope \`historical\` beside that of the call, and a plan with ticks.

## What is known at a second

The answer is that of the beginning of the second: what was received in it or later is not used.

- **Quotes.** The newest price of every source, the source that was served, the best prices, the states and the ages, by the
  rules of the present. The age is measured at the second of \`at\`.
- **Bars and indicators.** The latest bar that had closed, and those before it, also where only bars are stored: imported
  ones, and those that are retained longer than ticks. As in a live call, only \`/v1/ohlc\` has the bar that was filling.
  Its newest minute is made of the last bid of each second, which counts as one update: its open is the last bid of its
  first second, and its high, low and volume can be less than what the live call answered.
- **Spreads.** The statistics of the period that ended then. Those of sources (\`by=source\`) end with the last whole minute.
- **Calendar.** The events, dates, forecasts and previous figures that had been reported. \`actual\` is null before its
  receipt, and a correction is not seen before its own. \`next_hours\` and \`prev_hours\` count from \`at\`.
- **Time.** \`server_time\` and \`current_time\` are the second of \`at\`.

The headers say what an answer is:

| Header | Value |
| --- | --- |
| \`X-Data-Mode\` | \`as-of\` |
| \`X-As-Of\` | the second, such as \`2026-11-20T13:30:00+00:00\` |
| \`X-As-Of-Resolution\` | how finely the past was recorded, in words, and \`simulated\` or \`replay\` if its prices were |

## How finely the past was recorded

| \`X-As-Of-Resolution\` | Meaning |
| --- | --- |
| \`the last price of each source in each second\` | The book was recorded with every source. Times have their milliseconds. |
| \`the last served price in each second\` | Only the price that was served was recorded: before the server kept every source, and of imported ticks. The source is then named \`recorded\`, it is the only one, and its time is a whole second. |
| \`the last price in each second, filled in later\` | No server ran then. The source is named \`filled\`: the price is from the past of a source. It is named \`generated\` of the simulated past before the first recording. |
| \`each change at its receipt\` | Of the calendar. |
| \`closed bars\` | No price of a second is in the answer. If only bars are stored, \`bid\` and \`ask\` are null, \`updated_at\` is 0, \`source\` is \`bars\`, and the levels of the summary are measured from the last close of \`/v1/ohlc\`. |
| \`closed minutes, and the last bid of each second after them\` | Of the bar that was filling in \`/v1/ohlc\`. |

Where nothing was recorded, the answer is 404 \`DATA_NOT_FOUND\` with the nearest recorded times before and after in
\`nearest_recorded\`. Quotes and spreads need prices of seconds: where only bars are stored, their message names the calls
that answer. A second can be read one or two seconds after it has passed. A moment of the future is refused with 400
\`INVALID_DATETIME\`. For quotes and spreads, \`at\` reaches as far back as ticks are kept;
for figures of bars, as far back as bars.

## On the dashboard

T on any page, or the clock in the frame, chooses a second. All pages of the market then show what was known at it, under a
coloured bar with the time. The bar steps by a second, a minute, or to the next release of medium or high impact, and plays
the past at 1, 10, 60 or 600 times the speed: on a chart, bars appear as they did. The second is in the address as \`at\`, so
it can be shared, and links keep it. While the bar has the focus, the arrow keys step by a second, with Shift by a minute;
Space plays and pauses; Esc pauses and then leads back to the present. The pages of the account, such as keys and usage, are
always of the present, and say so.

## What differs from the live answer of then

- Bars and spreads of a live server follow its clock by a second or two, until all ticks are stored. With \`at\` they are
  complete up to the second.
- A bar has the ticks of its time by the clock of their source. A tick that arrived some milliseconds after the end of its
  bar is in the bar. Gaps that were filled, and ticks that were imported, are in bars and spreads also of seconds before
  that was done: the time of a price's receipt is not recorded there.
- The order of the sources, their hours, and the list of instruments with their digits and trading hours are those of now.
`;
