import { formatTable } from "@/features/docs/markdown";
import { type Entitlements, getEntitlements, NO_LIMIT, PLAN_NAMES } from "@/lib/access/plans";
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
