import { ORIGIN_MARK } from "@/features/docs/document";

export const REQUESTS = `# Requests and answers

## How values are written

**Symbols** in any spelling of a broker: \`EURUSD\`, \`eur/usd\`, \`EURUSD.pro\`. Answers have the canonical one.

**Timeframes** as \`H1\`, \`h1\`, \`1h\` or \`1hour\`, and \`M15\`, \`15m\` or \`15min\`. Answers have \`H1\` and \`M15\`. \`1M\` is
refused: in other programs it is a month.

**Times** in ISO 8601, in UTC unless they have an offset, or in Unix seconds or milliseconds: \`2026-01-15T10:00:00Z\`,
\`1768471200\`, \`1768471200000\`.

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
the key in \`X-API-Key\`, and reads all headers. Everyone who opens such a page can read its key, so give it a key of its own
with few scopes and symbols and a small limit.

## Your own ids

Send \`X-Request-Id\`, up to 64 letters, digits and \`. _ : -\`, and the answer and the server’s log have it. Without one
the server makes an id. A valid \`traceparent\` (W3C Trace Context) is sent back, too.

## Methods

\`HEAD\` has the headers of \`GET\`. \`OPTIONS\` needs no key and lists the methods of a path in \`Allow\`.`;
