import {
  type AlertLine,
  type AlertsData,
  type AlertStatus,
  describeDelivery,
  formatPeriod,
  formatWebhook,
  type LimitsNow,
  type LogLine,
  type News,
  type SymbolNow,
} from "@/features/alerts/types";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlan, formatPlansWith, getAlertLimits, mayRead, PLAN_NAMES, type Reader } from "@/lib/access/plans";
import { type Alert, findEntitlement, findSymbol, hasEnded } from "@/lib/alerts/alerts";
import {
  type Condition,
  describeCondition,
  type EventFilter,
  formatLevel,
  isEventCondition,
  isOfOccasions,
  isQuoteCondition,
  type PriceCondition,
} from "@/lib/alerts/conditions";
import { findDue } from "@/lib/alerts/events";
import { type Firing, listFirings, listNews, listWebhookDeliveries } from "@/lib/alerts/firing-log";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { choosePrice, formatSpreadPips } from "@/lib/market/price";
import type { Runtime } from "@/lib/runtime";
import { formatWait } from "@/lib/time/duration";
import { DAY_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "@/lib/time/units";

/** Reads the page of an account. `alertId` limits the log to one alert. */
export async function readAlertsPage(
  runtime: Runtime,
  account: Account,
  alertId: string | null = null,
): Promise<AlertsData> {
  const { pool } = runtime.database;
  const [alerts, webhooks, devices, firings, deliveries] = await Promise.all([
    runtime.alerts.list(account.id),
    runtime.webhooks.list(account.id),
    runtime.pushDevices.list(account.id),
    listFirings(pool, { accountId: account.id }),
    listWebhookDeliveries(pool, account.id),
  ]);
  const nowMs = runtime.now();
  const names = new Map(webhooks.map(({ id, name }) => [id, name]));
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const logged =
    alertId === null || !byId.has(alertId) ? firings : await listFirings(pool, { accountId: account.id, alertId });
  const describe = (firing: Firing) => firing.deliveries.map((each) => describeDelivery(each, names, nowMs));
  return {
    nowMs,
    alerts: alerts.map((alert) => {
      const last = firings.find((firing) => firing.alertId === alert.id);
      const shared = { nowMs, names, deliveries: last === undefined ? [] : describe(last) };
      return toLine(runtime, account, alert, shared);
    }),
    log: logged.flatMap((firing): LogLine[] => {
      const alert = byId.get(firing.alertId ?? "");
      if (alert === undefined) return [];
      const { id, atMs, message } = firing;
      return [{ id, atMs, message, alertId: alert.id, alertName: alert.name, deliveries: describe(firing) }];
    }),
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      alerts: alerts.filter(({ webhookId }) => webhookId === webhook.id).length,
      deliveries: deliveries.filter(({ webhookId }) => webhookId === webhook.id),
    })),
    devices,
    limits: readLimits(account, { active: alerts.filter(({ active }) => active).length, webhooks: webhooks.length }),
  };
}

interface LineParts {
  readonly nowMs: number;
  readonly names: ReadonlyMap<string, string>;
  readonly deliveries: AlertLine["deliveries"];
}

function toLine(runtime: Runtime, account: Account, alert: Alert, { nowMs, names, deliveries }: LineParts): AlertLine {
  const { id, name, condition, active, webhookId, byMail, byPush, firings, lastFiredAtMs } = alert;
  const status = findStatus(alert, account, nowMs);
  const measured = status.kind === "locked" ? { now: null, away: null } : measureNow(condition, runtime);
  return {
    ...{ id, name, status, isActive: active, firings, lastFiredAtMs, deliveries },
    words: describeCondition(condition),
    symbol: findSymbol(condition),
    ...measured,
    repeats: formatRepeat(alert),
    channels: [
      ...(byMail ? ["mail"] : []),
      ...(byPush ? ["push"] : []),
      ...(webhookId === null ? [] : [formatWebhook(names.get(webhookId))]),
    ],
  };
}

function readLimits({ plan }: Account, { active, webhooks }: { active: number; webhooks: number }): LimitsNow {
  const limits = getAlertLimits(plan);
  const larger = PLAN_NAMES.find((name) => getAlertLimits(name).active > limits.active);
  const ofLarger = larger === undefined ? null : getAlertLimits(larger);
  return {
    ...{ plan: formatPlan(plan), active, webhooks, maxActive: limits.active, maxWebhooks: limits.webhooks },
    larger:
      larger === undefined || ofLarger === null
        ? null
        : { plan: formatPlan(larger), maxActive: ofLarger.active, maxWebhooks: ofLarger.webhooks },
  };
}

/** Reads the quote of a symbol in any spelling. */
export function readSymbolNow(
  { book, resolver, isStale }: Pick<Runtime, "book" | "resolver" | "isStale">,
  spelling: string,
): SymbolNow {
  const symbol = resolver.find(spelling)?.symbol ?? "";
  const [quote, digits] = [book.served(symbol), instrumentBySymbol.get(symbol)?.digits];
  if (quote === undefined || digits === undefined || isStale()) return null;
  const { bid, ask, spreadPips, state } = quote;
  return { bid, ask, digits, spreadPips, state };
}

/** How long a firing is news. */
const NEWS_MS = DAY_MS;

/** Reads what fired on an account within the last day. */
export async function readNews({ database, now }: Pick<Runtime, "database" | "now">, accountId: string): Promise<News> {
  const nowMs = now();
  const firings = await listNews(database.pool, { accountIds: [accountId], sinceMs: nowMs - NEWS_MS });
  return { nowMs, firings };
}

/** Finds what an alert does at a time. */
export function findStatus(alert: Alert, reader: Reader, nowMs: number): AlertStatus {
  const { active, condition, cooldownS, lastFiredAtMs } = alert;
  if (!active && cooldownS === null && lastFiredAtMs !== null) return { kind: "fired" };
  if (!active) return { kind: hasEnded(condition, nowMs) ? "ended" : "paused" };
  const entitlement = findEntitlement(condition.type);
  if (entitlement !== null && !mayRead(reader, entitlement)) {
    return { kind: "locked", plans: formatPlansWith(entitlement) };
  }
  const untilMs = (lastFiredAtMs ?? -Infinity) + (cooldownS ?? 0) * SECOND_MS;
  return untilMs > nowMs ? { kind: "quiet", untilMs } : { kind: "armed" };
}

/** Says how often an alert fires: "once", "at most every 15 minutes". */
export function formatRepeat({ cooldownS, condition }: Pick<Alert, "cooldownS" | "condition">): string {
  if (cooldownS === null) return "once";
  if (cooldownS === 0 && isOfOccasions(condition)) return isEventCondition(condition) ? "every event" : "every day";
  return `at most every ${formatPeriod(cooldownS)}`;
}

interface Measured {
  readonly now: string | null;
  readonly away: string | null;
}

const NOTHING: Measured = { now: null, away: null };

/** Measures what a condition compares, from the newest quote or the next event of the coming week. */
function measureNow(
  condition: Condition,
  { book, calendar, marketNow, isStale }: Pick<Runtime, "book" | "calendar" | "marketNow" | "isStale">,
): Measured {
  if (isEventCondition(condition)) return findNext(condition, calendar.events, marketNow());
  // A day is judged hours later.
  // An indicator is compared at its next bar.
  if (!isQuoteCondition(condition)) return NOTHING;
  const quote = book.served(condition.symbol);
  if (quote === undefined || isStale()) return NOTHING;
  switch (condition.type) {
    case "line":
      return { now: formatLevel(quote.symbol, choosePrice(quote, condition.price)), away: null };
    case "price":
      return {
        now: formatLevel(quote.symbol, choosePrice(quote, condition.price)),
        away: formatAway(condition, quote),
      };
    case "move":
      return { now: formatLevel(quote.symbol, quote.bid), away: null };
    case "spread":
      return { now: `${formatSpreadPips(quote.spreadPips)} pips`, away: null };
    case "state":
      return { now: quote.state, away: null };
  }
}

/** The way from the price to the level, in percent of the price. */
function formatAway({ level, price }: Pick<PriceCondition, "level" | "price">, quote: Quote): string {
  const now = choosePrice(quote, price);
  return `level ${((Math.abs(level - now) / now) * 100).toFixed(2)} % ${level >= now ? "above" : "below"}`;
}

type Quote = Parameters<typeof choosePrice>[0];

function findNext(filter: EventFilter, events: Runtime["calendar"]["events"], nowMs: number): Measured {
  const [next] = findDue(events, filter, { nowMs, minutes: WEEK_MS / MINUTE_MS });
  if (next === undefined) return { now: "none this week", away: null };
  const { currency, title, timeMs } = next.event;
  return { now: `${currency} ${title}`, away: `in ${formatWait(timeMs - nowMs)}` };
}
