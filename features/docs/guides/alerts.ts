import { formatCode, formatTable, ORIGIN_MARK } from "@/features/docs/document";
import { getAlertLimits, PLAN_NAMES } from "@/lib/access/plans";
import { MIN_COOLDOWN_S, MIN_MAIL_COOLDOWN_S } from "@/lib/alerts/alerts";
import { RETRY_PAUSES_MS } from "@/lib/alerts/delivery-rows";
import { POST_TIMEOUT_MS } from "@/lib/alerts/send-post";
import { formatCount } from "@/lib/text/text";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** How a receiver of webhooks verifies a message, as the guide shows it. A test runs both. */

export const VERIFY_TYPESCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`body\` is the text as it arrived, before it is parsed. \`headers\` have lower-case names. */
export function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((each) => {
    const [version, signature = ""] = each.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

export const VERIFY_PYTHON = `import base64, hashlib, hmac, time

def verify(secret, headers, body):
    """body is the text as it arrived, before it is parsed. headers have lower-case names."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(each, "v1," + expected)
        for each in headers.get("webhook-signature", "").split(" ")
    )`;

const CONDITION_TABLE = formatTable(
  ["Type", "Fires when", "Fields"],
  [
    ["`price`", "the bid, ask or mid reaches or passes a level", "`symbol`, `level`, `direction`, `price`"],
    [
      "`line`",
      "the bid, ask or mid crosses a line through two points, whose level moves with time",
      "`symbol`, `from`, `to`, `extend`, `timeframe`, `scale`, `direction`, `price`, `drawing`",
    ],
    [
      "`move`",
      "the bid is so many percent from its lowest or highest of a window",
      "`symbol`, `percent`, `minutes`, `direction`",
    ],
    [
      "`indicator`",
      "at a bar that closes, an indicator has crossed a value or another indicator",
      "`symbol`, `timeframe`, `indicator`, `direction`, `level` or `against`",
    ],
    ["`spread`", "the spread is above the 95th percentile of its last seven days", "`symbol`"],
    ["`state`", "the quote becomes `live`, `stale` or `closed`", "`symbol`, `states`"],
    ["`completeness`", "a UTC day can no longer reach so many percent of its prices", "`symbol`, `source`, `percent`"],
    ["`release`", "the figure of an economic event is published", "`currencies`, `impacts`, `search`"],
    ["`upcoming`", "an economic event is due within some minutes", "`minutes`, `currencies`, `impacts`, `search`"],
  ],
);

const CHAT_TABLE = formatTable(
  ["Kind", "What you need", "Fields"],
  [
    [
      "`telegram`",
      "A bot of @BotFather. Write to it, or add it to the group or channel; its `getUpdates` shows the number of the chat.",
      "`token`, `chat`, with the number of a topic behind a slash: `-1001234567890/17`; `url` for a Bot API server of your own",
    ],
    ["`discord`", "The address of a webhook: settings of the channel, Integrations, Webhooks", "`url`"],
    ["`slack`", "The address of an incoming webhook of an app", "`url`"],
  ],
);

const LIMIT_TABLE = formatTable(
  ["Plan", "Active alerts", "Webhooks"],
  PLAN_NAMES.map((plan) => {
    const { active, webhooks } = getAlertLimits(plan);
    return [plan, formatCount(active), formatCount(webhooks)];
  }),
);

const tries = RETRY_PAUSES_MS.length + 1;
const pauses = RETRY_PAUSES_MS.map((ms) =>
  ms < MINUTE_MS ? `${ms / SECOND_MS} s` : ms < 60 * MINUTE_MS ? `${ms / MINUTE_MS} min` : `${ms / MINUTE_MS / 60} h`,
);

export const ALERTS = `# Alerts and webhooks

An alert waits for a condition on a price, a spread, a quote or the calendar. When it fires, Spotline sends a signed
message to a webhook or a chat, pushes it to your devices, mails you, or all of these, and writes its log. Every page of the dashboard shows it, and the page
[Alerts](/alerts) also shows it as a notification of the browser while Spotline is open in one of its tabs.

You create alerts on that page, or with the API. Alerts change your account, so a key needs the scope \`alerts\`. The scope \`all\` does not include it: a key that existed
before this scope, or that has every data scope, cannot read or change alerts until you add \`alerts\` to it. The log of an
alert has the data of its condition, so a key also needs what the call of that data needs: the scope \`quotes\` for prices, lines,
moves, spreads and states, and \`indicators\` for indicators. It sees no other alerts. A key that
is limited to some endpoints needs these paths among them. A key that is limited to some symbols sees, creates and
changes alerts on those symbols only.

## Create one

Create a webhook, and store its \`secret\`: it is shown once.

${formatCode(
  "sh",
  `curl -X POST -H "X-API-Key: $SPOTLINE_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "desk", "url": "https://hooks.example/alerts"}' "${ORIGIN_MARK}/v1/webhooks"`,
)}

Then create the alert with its \`id\`:

${formatCode(
  "sh",
  `curl -X POST -H "X-API-Key: $SPOTLINE_KEY" -H "Content-Type: application/json" \\
  -d '{"condition": {"type": "price", "symbol": "EURUSD", "level": 1.2, "direction": "up"}, "webhook_id": "…"}' \\
  "${ORIGIN_MARK}/v1/alerts"`,
)}

[POST /v1/webhooks/{webhook}](/docs/reference/webhooks-webhook) sends a test message, and
[GET /v1/alerts/{alert}](/docs/reference/alerts-alert) shows the log: each firing, with the tries and answers of its
messages.

## Chats: Telegram, Discord, Slack

A webhook of another \`kind\` writes the text of each alert to a chat. Its token or address is a secret: it is stored
encrypted, is never shown again, and is not in any log.

${CHAT_TABLE}

${formatCode(
  "sh",
  `curl -X POST -H "X-API-Key: $SPOTLINE_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "phone", "kind": "telegram", "token": "123456:ABC…", "chat": "-1001234567890"}' "${ORIGIN_MARK}/v1/webhooks"`,
)}

Texts are sent without formatting, mention nobody, begin with the name of the alert and end with a link to it. A chat that receives too many
messages says how long to wait, and the message is sent again then, an hour later at most. A message that it refuses,
such as of an unknown token or chat, is not sent again: the log has the reason in words. “Send test” on the page
[Alerts](/alerts) shows it at once.

## Devices

On the page [Alerts](/alerts), “Add this device” lets a phone or a browser receive the alerts with \`push\` while Spotline
is not open. It needs a page over HTTPS (or localhost), and on iPhone and iPad Spotline on the home screen. Messages go
through the push service of the browser, encrypted for the device (RFC 8291) and signed with the key of this installation
(RFC 8292). Such a service keeps a message for an hour while the device is off. A device whose subscription has ended is
removed. A change of \`NEXTAUTH_SECRET\` ends all subscriptions: add the devices again.

## Conditions

${CONDITION_TABLE}

\`direction\` is \`up\`, \`down\` or \`either\`. \`release\` needs a plan with released figures, \`upcoming\` one with the
calendar; an alert does not fire while the plan lacks the data.

## When exactly it fires

- **It fires when its condition becomes true**, never because it is true when the alert is created. A price alert begins
  with the side of the level on which the price is.
- **An alert that cannot fire is refused**: a value that an indicator never has, such as RSI above 170, a line that has fallen below
  0, or a level so far from the price that it must be another symbol’s.
- **Reaching the level counts.** A price that goes back from the level, or on beyond it, does not fire again.
- **A gap over the level fires** at the first price beyond it. The message has that price, not the level. The same holds
  for a level that was crossed while the server was down: the alert remembers its side.
- **Only prices that are served, live or delayed count.** A stale price, and one outside trading hours, fires nothing but
  \`state\`. Sources that are not served do not count.
- **A line** is compared at its level of the moment; see [Lines](#lines).
- **Moves** are measured from the lowest (up) and the highest (down) bid of the window, to within a sixtieth of the window.
  After a restart the recorded bars of one minute fill it.
- **An indicator** is compared when a bar of its timeframe closes, with the value that \`/v1/indicator\` answers: any indicator
  of the list or of a family, such as \`RSI_21\`, or \`close\`. \`level\` is a value and \`against\` another indicator or
  \`close\`: \`{"type": "indicator", "symbol": "EURUSD", "timeframe": "H1", "indicator": "RSI_14", "level": 70, "direction": "up"}\`.
  It fires at the first bar that is beyond: a value that is equal has not crossed. A crossing while the server was down fires at the
  first bar after it. Timeframes are of a minute or more.
- **A spread** needs an hour of recorded seconds before it has a usual one.
- **A day's completeness** is that of \`/v1/quality\`: of open hours only. It is compared after each hour that is judged,
  some minutes after its end. The alert fires after the hour with which the day can no longer reach the percentage, once
  for each symbol, source and day. The message has the figure, the longest gap and its reason. \`source\` names a source,
  is \`*\` for each of them by itself, or is \`null\` for the prices that were served. A day that is below the percentage
  when the alert is created does not fire it; days that are judged after the server was down do, for a week.
- **Figures** that were published before the alert was created do not fire it; those that are published while the server
  is down do, for six hours. An event fires an alert once, and again only if it moves to another time.

Without \`cooldown_seconds\` an alert fires once, and is then not active until you set \`active\` to true. With it, the
alert repeats, and does not fire for so many seconds after each firing: at least ${MIN_COOLDOWN_S}, or ${MIN_MAIL_COOLDOWN_S}
if it is mailed, or 0 for events and completeness. The alerts of a suspended account do not fire, also not later for what they missed.

## Lines

\`line\` is an alert whose level moves: a trend line through two points of a chart, each with a \`time\` and a \`price\`.

${formatCode(
  "json",
  `{
  "type": "line", "symbol": "EURUSD", "timeframe": "H1", "direction": "up", "extend": "right",
  "from": { "time": "2026-01-14T09:00:00Z", "price": 1.195 },
  "to": { "time": "2026-01-15T09:00:00Z", "price": 1.198 }
}`,
)}

- **The level is that of the line on the chart** of \`timeframe\`, where a line is straight on an axis of bars. The place of a
  moment is the number of bars that opened before it and the share of its own bar that has passed, in UTC. Between the points
  and beyond them the price changes in proportion to the place: by the same amount for each bar, or with \`scale\` \`log\` by the
  same factor. Closed hours, and other times without bars, count nothing: over a weekend the level stands still. Bars that are
  to come follow the trading hours.
- On other timeframes the same points give nearly the same line. The chart draws the newest bar where it opened, so within a long bar
  the level is already a little farther on than beside the candle.
- \`extend\` is \`right\` for a ray, \`none\` for a segment, \`left\` or \`both\`. Where the line ends, at \`to\`, the alert ends with it,
  without firing; before \`from\`, a line that begins there has no level and nothing is compared.
- \`direction\` \`up\` fires when a price that was below the line reaches or passes it, \`down\` from above, \`either\` both ways. The alert
  remembers its side, so a gap over a weekend, or a crossing while the server was down, fires at the first price. A line that comes
  to a price that stands still crosses it too, while that price is live.
- An alert that was made on a chart has the id of its line in \`drawing\`. When the line is moved, the alert moves with it
  and begins anew. When the line is deleted, the alert is deleted too; one that has fired stays in the list, switched off, with its
  log. A \`drawing\` in a request must be a line of the account on the chart of the symbol.

## Exactly once

The firing, its messages and the new state of the alert are written in one transaction, so a restart neither repeats nor
loses it. A message is sent at least once: if the server ends between sending it and noting the answer, it is sent again
with the same \`webhook-id\`. Ignore a \`webhook-id\` that you have handled.

## What a webhook receives

A POST with JSON, signed as [Standard Webhooks](https://www.standardwebhooks.com) define it:

${formatCode(
  "json",
  `{
  "type": "alert.fired",
  "timestamp": "2026-01-15T12:00:00.000Z",
  "data": {
    "id": "0b2c…",
    "alert": { "id": "6f1d…", "name": "EURUSD bid rises to 1.20000", "condition": { "type": "price", "…": "…" } },
    "number": 1,
    "message": "EURUSD crossed 1.20000: bid 1.20010, ask 1.20020.",
    "quote": { "symbol": "EURUSD", "bid": 1.2001, "ask": 1.2002, "state": "live", "data_mode": "live", "…": "…" }
  }
}`,
)}

Alerts on a line add \`line_level\`, the level that was crossed, beside \`quote\`, as moves add \`move_percent\`. Alerts on events have \`event\` in place of \`quote\`, those on completeness \`quality\`. A test has the type \`alert.test\`. \`data_mode\` says whether the
price is live, simulated or replayed.

Answer with a status from 200 to 299 within ${POST_TIMEOUT_MS / SECOND_MS} seconds. Anything else, a redirect too, is
tried again after ${pauses.join(", ")}: ${tries} tries in all. 410 ends the tries at once. The log keeps the first 200
characters of an answer for 30 days.

Addresses begin with https:// and are on the public internet, at port 443, 80, 8443 or 8080 unless the operator allows
others. The name is resolved for each try, and the connection goes to an address that was checked. Where there was no
answer, the log says that the message could not be delivered, and no more.

## Verify the signature

### TypeScript

${formatCode("ts", VERIFY_TYPESCRIPT)}

### Python

${formatCode("python", VERIFY_PYTHON)}

## Limits

${LIMIT_TABLE}

An account may have twice as many alerts in all, those that are not active included. With a smaller plan, what there is
already stays.`;
