import { ORIGIN_MARK } from "@/features/docs/document";

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
