import { ORIGIN_MARK } from "@/features/docs/document";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";
import { endpoints } from "@/lib/api/registry";

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
