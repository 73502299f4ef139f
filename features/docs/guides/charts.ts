import { ORIGIN_MARK } from "@/features/docs/document";
import { MAX_CHART_BARS, RESOLUTIONS } from "@/lib/api/udf/udf-history";

export const CHARTS = `# Charts

The charting libraries of TradingView read prices in the protocol UDF, which this installation speaks below \`/udf\`. Their
UDF adapter sends no key, so it takes a link: open a key on the page [API keys](/keys), and create a link to “Charts (UDF)”.

\`\`\`js
const datafeed = new Datafeeds.UDFCompatibleDatafeed("${ORIGIN_MARK}/udf/fxl_…", 10_000, {
  maxResponseLength: ${MAX_CHART_BARS},
  expectedOrder: "latestFirst",
});
\`\`\`

A program that can send the header \`X-API-Key\` leaves the link out: \`${ORIGIN_MARK}/udf/config\`.

If the page of the chart is on another site, add its origin to the allowed origins of the key: browsers then let that site,
and no other, read the answers. Everyone who opens the page can see the link. It opens charts alone, with the limits and
symbols of its key, and you can revoke it on the page of the key.

| path                            | answer                                                         | as a call of      |
| ------------------------------- | -------------------------------------------------------------- | ----------------- |
| \`/udf/config\`                   | what charts can ask for                                        | \`/v1/symbols\`     |
| \`/udf/time\`                     | the market's time in Unix seconds, without a key               |                   |
| \`/udf/symbols?symbol=\`          | a symbol with its session, time zone and scale                 | \`/v1/symbols\`     |
| \`/udf/search?query=&type=\`      | symbols by a part of their name                                | \`/v1/symbols\`     |
| \`/udf/history\`                  | bars by \`symbol\`, \`resolution\`, \`from\`, \`to\` and \`countback\` | \`/v1/ohlc\`        |
| \`/udf/quotes?symbols=\`          | prices and their change since the day before                   | \`/v1/quotes\`      |
| \`/udf/marks\`, \`timescale_marks\` | economic events of the symbol's currencies                     | \`/v1/calendar\`    |

A key needs the scope, the endpoint and the plan of the call in the last column. Each answer is one call and one credit,
marks are two.

- **Resolutions** are ${RESOLUTIONS.map((name) => `\`${name}\``).join(", ")}.
- **Times** are Unix seconds. \`to\` is not included. With \`countback\` there are so many bars before \`to\`, even if they are
  older than \`from\`. An answer has at most ${MAX_CHART_BARS} bars, the latest of the range.
- **Daily and weekly bars** are named by 00:00 UTC of their first trading day: the one that opens on Sunday at 17:00 in
  New York is Monday's.
- **No bars** in a range are \`{"s":"no_data"}\`, with \`nextTime\` where older ones exist.
- **Errors** are \`{"s":"error","errmsg":"…"}\` with the status of the same error of \`/v1\`.

Bars are made of bid prices, and their volume is the number of price updates.`;
