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

## Google Sheets

Formulas such as \`IMPORTDATA\` cannot send a key. A script can: open Extensions, Apps Script, paste this, and put the key into
the project's script properties as \`SPOTLINE_KEY\`.

\`\`\`js
function SPOTLINE_BARS(symbol, timeframe, limit) {
  const key = PropertiesService.getScriptProperties().getProperty("SPOTLINE_KEY");
  const query = "symbol=" + symbol + "&timeframe=" + timeframe + "&limit=" + limit + "&format=csv";
  const answer = UrlFetchApp.fetch("${ORIGIN_MARK}/v1/ohlc?" + query, { headers: { "X-API-Key": key } });
  return Utilities.parseCsv(answer.getContentText());
}
\`\`\`

Then write \`=SPOTLINE_BARS("EURUSD", "H1", 100)\` into a cell. Google must be able to reach this installation.

## Excel

Data, Get Data, From Other Sources, Blank Query, Advanced Editor:

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
formula gets an apostrophe in front; numbers are numbers.

Calendar programs subscribe to the [calendar feed](/docs/reference/calendar-ics).`;
