import { ORIGIN_MARK } from "@/features/docs/document";

/** Every block of TypeScript and Python runs as it stands, with a key in SPOTLINE_KEY: a test runs them all. */
export const CLIENTS = `# Clients

Two clients are in the repository of Spotline. Both have a method and types for every endpoint, made of
[openapi.json](/v1/openapi.json). They wait and try again after a lost connection or a 429, read all pages of a range as one
sequence, and follow [streams](/docs/streaming) through lost connections.

## TypeScript

For Node.js 20.3 or newer, Deno, Bun and browsers; it has no dependencies. In the folder of Spotline, \`npm run
build:clients\` builds it. In your program's folder:

~~~
npm install PATH_OF_SPOTLINE/clients/typescript
~~~

\`\`\`ts
import { Spotline } from "@spotline/client";

const spotline = new Spotline({ url: "${ORIGIN_MARK}", key: process.env.SPOTLINE_KEY });
const { data, meta } = await spotline.quote({ symbol: "EURUSD" });
console.log(data.bid, data.ask, meta.quoteState, meta.dataMode);
\`\`\`

\`meta\` has what the headers of the answer say: the state and age of the price, the data mode, coverage, limits, and the
request id. What the API refuses is thrown as an error with its code:

\`\`\`ts
import { ApiError, Spotline } from "@spotline/client";

const spotline = new Spotline({ url: "${ORIGIN_MARK}", key: process.env.SPOTLINE_KEY });
try {
  await spotline.quote({ symbol: "EURUSDD" });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.status, error.code, error.requestId, error.fields.suggestions);
}
\`\`\`

All bars of a range, however many pages they are:

\`\`\`ts
import { Spotline } from "@spotline/client";

const spotline = new Spotline({ url: "${ORIGIN_MARK}", key: process.env.SPOTLINE_KEY });
const from = Date.now() - 7 * 24 * 60 * 60 * 1000;
let count = 0;
for await (const bar of spotline.bars({ symbol: "EURUSD", timeframe: "M15", from })) {
  if (count++ === 0) console.log(bar.time, bar.close);
}
console.log(count, "bars");
\`\`\`

A stream. Each update is applied before you see it, and after a lost connection the stream continues where it was:

\`\`\`ts
import { Spotline } from "@spotline/client";

const spotline = new Spotline({ url: "${ORIGIN_MARK}", key: process.env.SPOTLINE_KEY });
const stream = spotline.stream({ symbols: ["EURUSD", "GBPUSD"] });
for await (const { type } of stream) {
  console.log(type, stream.quotes.get("EURUSD")?.bid);
  if (type === "changes") break;
}
\`\`\`

## Python

For Python 3.11 or newer, with [httpx](https://www.python-httpx.org). In the folder of Spotline, \`npm run
generate:clients\` completes it. In your program's environment:

~~~
pip install "PATH_OF_SPOTLINE/clients/python[pandas]"
~~~

\`\`\`python
import os
from spotline import Spotline

with Spotline("${ORIGIN_MARK}", os.environ["SPOTLINE_KEY"]) as spotline:
    answer = spotline.quote("EURUSD")
    print(answer.data["bid"], answer.data["ask"], answer.meta.quote_state, answer.meta.data_mode)
\`\`\`

All bars of a range; \`to_frame(bars)\` makes a DataFrame of pandas of them:

\`\`\`python
import os
from datetime import datetime, timedelta, timezone
from spotline import Spotline

with Spotline("${ORIGIN_MARK}", os.environ["SPOTLINE_KEY"]) as spotline:
    week = datetime.now(timezone.utc) - timedelta(days=7)
    bars = list(spotline.bars("EURUSD", week, timeframe="M15"))
    print(len(bars), "bars, the last at", bars[-1]["close"])
\`\`\`

A stream, for asyncio here; \`Spotline\` has the same without \`async\`:

\`\`\`python
import asyncio, os
from spotline import AsyncSpotline

async def main():
    async with AsyncSpotline("${ORIGIN_MARK}", os.environ["SPOTLINE_KEY"]) as spotline:
        stream = spotline.stream(["EURUSD", "GBPUSD"])
        async for update in stream:
            print(update.type, stream.quotes["EURUSD"]["bid"])
            if update.type == "changes":
                break

asyncio.run(main())
\`\`\`

## Exports as files

\`downloadExport\` of \`@spotline/client/node\`, and \`download_export\` in Python, begin an export, wait until it is done and
download its files into a folder. A file is continued after a lost connection, and its size, ETag and SHA-256 are compared
with those that the server lists. The READMEs of both clients have an example.

## When calls are sent again

A GET is sent again after a lost connection, a timeout, 429, 500, 502, 503 and 504: up to three times, after the pause that
\`Retry-After\` names, or else after a quarter of a second, doubled each time. Where the pause is longer than 65 seconds, as
after the last call of a day, the error is thrown at once. POST and PUT are never sent again. The option \`retry\` changes
these numbers; an \`AbortSignal\` ends a call of the TypeScript client at any time, also while it waits.`;
