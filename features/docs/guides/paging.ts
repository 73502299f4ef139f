import { ORIGIN_MARK } from "@/features/docs/document";

export const PAGING = `# Paging through history

## Bars

One answer of [GET /v1/ohlc](/docs/reference/ohlc) has at most 1,000 bars. With \`from\` it has the first bars of the range,
so the next page begins after the last bar. If there are as many bars as \`limit\`, there may be more:

\`\`\`python
import os, requests

url = "${ORIGIN_MARK}/v1/ohlc"
headers = {"X-API-Key": os.environ["SPOTLINE_KEY"]}
query = {"symbol": "EURUSD", "timeframe": "M1", "from": "2026-01-05T00:00:00Z", "to": "2026-01-10T00:00:00Z", "limit": 1000}
bars = []
while True:
    page = requests.get(url, headers=headers, params=query).json()["data"]["candles"]
    # A page begins with the last bar of the one before, which is left out.
    bars += [bar for bar in page if not bars or bar["time"] > bars[-1]["time"]]
    if len(page) < query["limit"]:
        break
    query["from"] = page[-1]["time"]
\`\`\`

The bar that is still filling is the last one when the range reaches the present: its high, low, close and volume will
change. Leave it out with \`to\`.

## Ticks

[GET /v1/ticks](/docs/reference/ticks) has at most one hour in one answer. Ask hour by hour: \`from\` is in the range and
\`to\` is not, so hours meet without doubles. A second without a price has no row.

## Lists

Symbols, the screener and the calendar have \`offset\` and \`limit\`, and \`pagination\` in the answer. Go on with
\`offset + limit\` while \`has_more\` is true.

## How far back

How long bars and ticks are kept is a setting of the installation. A range that begins earlier is cut at what is kept.
\`count\` and the header \`X-Coverage\` tell what came.`;
