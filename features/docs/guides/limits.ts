import { formatCode, formatTable } from "@/features/docs/document";
import { type Entitlements, getEntitlements, NO_LIMIT, PLAN_NAMES } from "@/lib/access/plans";
import { findErrorGuide } from "@/lib/api/engine/error-guide";
import { ERROR_CODES, getStatus, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { errorExamples } from "@/lib/api/openapi/recorded-examples";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";
import { endpoints } from "@/lib/api/registry";
import { formatCount } from "@/lib/text/text";

const PLANS = [...PLAN_NAMES.map((name) => getEntitlements(name, "standard")), getEntitlements("free", "tool")];

const mark = (isIncluded: boolean) => (isIncluded ? "yes" : "–");

function formatPlanRow({ name, perMinute, perDay, ...data }: Entitlements): string[] {
  const day = perDay === NO_LIMIT ? "no limit" : formatCount(perDay);
  const parts = [data.calendar, data.actuals, data.ticks, data.indicatorHistory].map(mark);
  return [name === "tool" ? "tool key" : name, formatCount(perMinute), day, ...parts];
}

const PLAN_TABLE = formatTable(
  ["Plan", "Calls a minute", "Calls a day", "Calendar", "Released figures", "Ticks", "Past indicators"],
  PLANS.map(formatPlanRow),
);

const CREDIT_TABLE = formatTable(
  ["Credits", "Endpoints"],
  [1, 2, 3].map((credits) => [
    String(credits),
    endpoints
      .filter(({ access, weight }) => access === "key" && weight === credits)
      .map(({ method, path }) => `[${method} ${path}](${formatReferencePath(path)})`)
      .join(", "),
  ]),
);

export const LIMITS = `# Limits and credits

## Two limits

**A minute, for each key.** The window begins with the first call and lasts 60 seconds. Refused calls count, too. Above
the limit the answer is 429 \`RATE_LIMIT_EXCEEDED\`.

**A day, for the account.** Every answered call of all its keys counts once, whatever it costs; the day ends at midnight
UTC. Calls that fail do not count. Above the quota the answer is 429 \`QUOTA_EXCEEDED\`. A key can have a smaller limit of
its own for either.

${PLAN_TABLE}

A tool key is a kind of key for agents, spreadsheets and bots. Its terms do not depend on the plan.

## Know where you are

Every answer to a key has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, in seconds, and the same as
\`RateLimit\` and \`RateLimit-Policy\`. A 429 also has \`Retry-After\`: wait for so many seconds, then go on.
[GET /v1/monitor/account](/docs/reference/monitor-account) says what was used today. The page [Usage](/usage) shows it
over time, with a log of every call.

## Credits

A call costs 1 to 3 credits. They weigh calls in reports and on pay as you go; the limits above count calls. Only answered
calls cost anything.

${CREDIT_TABLE}

## Make fewer calls

- [POST /v1/quotes](/docs/reference/quotes) has up to 100 symbols in one call, and
  [GET /v1/multi](/docs/reference/multi) up to 50 symbols with 50 indicators.
- Send an \`ETag\` back in \`If-None-Match\`: an unchanged answer is a 304, which does not count against the day.
  [Requests and answers](/docs/requests) says which answers have one.
- Closed bars and past ticks do not change. Store them.`;

const CODES = ERROR_CODES.filter((code) => code !== UNPROCESSABLE).map((code) => {
  const guide = findErrorGuide(code);
  const example = errorExamples[code];
  return [
    `### ${code}`,
    `Status ${getStatus(code)}. ${guide?.meaning ?? ""} **What to do:** ${guide?.remedy ?? ""}`,
    ...(example === undefined ? [] : [formatCode("json", JSON.stringify(example, null, 2))]),
  ].join("\n\n");
});

const STATUSES = formatTable(
  ["Status", "Who can correct it", "Repeat the call?"],
  [
    ["400, 404, 413, 414, 415, 422", "you: the call is wrong", "no, it would fail again"],
    ["401, 403", "the owner of the key, or the operator", "no"],
    ["429", "nobody needs to", "after the seconds in `Retry-After`"],
    ["500, 503", "the operator", "yes, after some seconds, a few times"],
  ],
);

export const ERRORS = `# Errors

Every failed call has a status, a \`code\` for programs and a \`message\` for people:

${formatCode("json", JSON.stringify(errorExamples.SYMBOL_NOT_FOUND ?? {}, null, 2))}

The message names the mistake, and often the nearest correct name. Its words may change: compare codes. New codes may be
added; treat an unknown one by its status.

${STATUSES}

Give the operator the header \`X-Request-Id\` of an answer that you do not understand, yours if you sent one. The page [Usage](/usage) has the log
of your own calls with the reason of every refusal.

## The flat format

The flat indicators of [GET /v1/indicator](/docs/reference/indicator) fail without the envelope: \`error\` is the status in
words, \`message\` is the message, \`code\` is the status, and 429 has \`retry_after\`.

## All codes

${CODES.join("\n\n")}`;
