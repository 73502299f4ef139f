import { formatTable, ORIGIN_MARK } from "@/features/docs/document";
import { TOOLS } from "@/lib/api/mcp/tools";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";
import { endpoints } from "@/lib/api/registry";
import { RESOLUTIONS } from "@/lib/api/udf/udf-endpoint";
import { MAX_CHART_BARS } from "@/lib/api/udf/udf-history";

const TOOL_TABLE = formatTable(
  ["Tool", "Call", "What it is for"],
  TOOLS.map(({ name, endpoint: { method, path, summary } }) => [
    `\`${name}\``,
    `[${method} ${path}](${formatReferencePath(path)})`,
    summary,
  ]),
);

export const AGENTS = `# Agents (MCP)

Programs with a language model use this installation by the Model Context Protocol: over HTTP at \`${ORIGIN_MARK}/mcp\`, or with a
command over standard input and output. A tool key is made for this: it has a limit of its own. Create one on the page
[API keys](/keys), with the scopes and symbols that the agent needs.

## Over HTTP

The address is \`${ORIGIN_MARK}/mcp\`. Send the key in the header \`X-API-Key\`, or as \`Authorization: Bearer\`. Most programs take a configuration such as this:

\`\`\`json
{
  "mcpServers": {
    "spotline": {
      "type": "http",
      "url": "${ORIGIN_MARK}/mcp",
      "headers": { "X-API-Key": "YOUR_KEY" }
    }
  }
}
\`\`\`

The revisions of the protocol from 2024-10-07 to 2026-07-28 are answered: the newest without a handshake, earlier ones with
it. The server keeps no sessions and sends no messages of its own, so GET and DELETE are answered with 405. All answers are
JSON, and \`Accept\` may be \`*/*\`, \`application/json\` or missing. A list of tools counts like a call, and costs one
credit. The server answers under the host of its setting \`SPOTLINE_URL\`, \`localhost\` and IP addresses, and refuses pages of other sites.

## Over standard input and output

The command is in the folder of Spotline, and calls the API at \`SPOTLINE_URL\` with the key in \`SPOTLINE_KEY\`:

\`\`\`json
{
  "mcpServers": {
    "spotline": {
      "command": "node",
      "args": ["PATH_OF_SPOTLINE/cli/launch.mjs", "mcp"],
      "env": { "SPOTLINE_URL": "${ORIGIN_MARK}", "SPOTLINE_KEY": "YOUR_KEY" }
    }
  }
}
\`\`\`

In that folder, \`npm run -s spotline -- mcp\` is the same command.

## Tools

${TOOL_TABLE}

Their arguments are the parameters of these calls. A tool makes its call with your key, so scopes, symbols, address lists,
plans, limits and credits are those of the call: one use of a tool is one call. An agent may send twice as many messages a
minute as its key may make calls, and 60 more.

## Results

A result has the data as text and as a structure: \`data\`, \`quote_state\`, \`quote_age_ms\`, \`data_mode\`, \`request_id\` and
\`notes\`. Notes are sentences that also come before the text: that a price is stale, delayed or of a closed market, that data
is simulated or replayed, that a reading is of an old bar, or that rows are missing. What the API refuses is a result with \`isError\`, the code and the
message: see [errors](/docs/errors).`;

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
| \`/udf/search?query=&type=\`      | symbols by a part of their name or any spelling, closest first | \`/v1/symbols\`     |
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

const TABLES = endpoints
  .filter(({ csv }) => csv !== undefined)
  .map(({ path }) => `[${path}](${formatReferencePath(path)})`)
  .join(", ");

export const SPREADSHEETS = `# Spreadsheets

A tool key is made for this: it has a limit of its own, so a busy sheet cannot use up the calls of your programs. Create one
on the page [API keys](/keys), with the scopes and symbols that the sheet needs.

## A link for each table

Excel and Google Sheets cannot send a key with an address. Open the page of the key and create a link: choose the table, write
its parameters as in a call, and copy the address.

\`\`\`text
/v1/ohlc    symbol=EURUSD&timeframe=D1&limit=100
/v1/quotes  symbols=EURUSD,GBPUSD,XAUUSD&fields=bid,ask
\`\`\`

A link opens that table with those parameters and nothing else, and does not show the key. Its calls count as calls of the
key, with its limits, allow-list and plan. It ends with the key, and you can revoke it by itself. Anyone who has the link can
read the table. Other parameters are refused, except names that the table does not have: append \`&refresh=1\` to make a
program read the address anew.

## Google Sheets

\`\`\`text
=IMPORTDATA("${ORIGIN_MARK}/csv/fxl_…")
\`\`\`

Google must be able to reach this installation, and reads an address again about once an hour. Its servers have changing
addresses, so the key can have no allow-list. \`IMPORTDATA\` shows a refusal as \`#N/A\`; open the link in a browser to read
the reason.

A script can send the key itself, and choose parameters by cell: open Extensions, Apps Script, paste this, and put the key
into the project's script properties as \`SPOTLINE_KEY\`.

\`\`\`js
function SPOTLINE_BARS(symbol, timeframe, limit) {
  const key = PropertiesService.getScriptProperties().getProperty("SPOTLINE_KEY");
  const query = "symbol=" + symbol + "&timeframe=" + timeframe + "&limit=" + limit + "&format=csv";
  const answer = UrlFetchApp.fetch("${ORIGIN_MARK}/v1/ohlc?" + query, { headers: { "X-API-Key": key } });
  return Utilities.parseCsv(answer.getContentText());
}
\`\`\`

Then write \`=SPOTLINE_BARS("EURUSD", "H1", 100)\` into a cell.

## Excel

Data, From Web: paste the link, choose anonymous access, and load the table. Data, Refresh All reads it again; under Query
Properties it can do so every few minutes.

Power Query can send the key itself: Data, Get Data, From Other Sources, Blank Query, Advanced Editor:

\`\`\`text
let
  Answer = Web.Contents("${ORIGIN_MARK}", [
    RelativePath = "v1/ohlc",
    Query = [symbol = "EURUSD", timeframe = "H1", limit = "100", format = "csv"],
    Headers = [#"X-API-Key" = "YOUR_KEY"]
  ]),
  Table = Table.PromoteHeaders(Csv.Document(Answer))
in
  Table
\`\`\`

## What there is as CSV

Every table, with \`format=csv\` or the header \`Accept: text/csv\`: ${TABLES}. A text that a spreadsheet would read as a
formula gets an apostrophe in front; numbers are numbers. Errors of a link are a table too, with the columns error and message.

Calendar programs subscribe to the [calendar feed](/docs/reference/calendar-ics).`;
