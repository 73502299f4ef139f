import { DbNull } from "@prisma/client/runtime/client";
import { AccessError } from "@/lib/access/access-error";
import { toAccount } from "@/lib/access/accounts/account";
import type { Owner } from "@/lib/access/actor";
import { type Facts, record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { getAlertLimits, mayRead, type Reader } from "@/lib/access/plans";
import { change } from "@/lib/access/revision";
import {
  CLOSE,
  type Condition,
  conditionSchema,
  describeCondition,
  EACH_SOURCE,
  type IndicatorCondition,
  isEventCondition,
  isOfOccasions,
  type LineCondition,
  toChartLine,
} from "@/lib/alerts/conditions";
import { requireReachable } from "@/lib/alerts/reachable";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import type { Book } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { roundPrice } from "@/lib/market/price";
import { isLineOver } from "@/lib/market/time-axis";
import { getUsualBarMs, isStored, readTimeframe, type Timeframe } from "@/lib/market/timeframe";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { formatCount } from "@/lib/text/text";
import { parseTime } from "@/lib/time/iso-time";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";
import type { Alert as AlertRow, Prisma } from "@/prisma/generated/client";

/** The alerts of accounts. Every method rejects with an AccessError for what the caller can correct. */
export type Alerts = ReturnType<typeof createAlerts>;

/** Who changes an alert: the owner on the dashboard, or a program with one of the owner's keys. */
export interface AlertCaller {
  readonly by: Owner;
  /** The account or key whose plan must include the data of the condition. */
  readonly reader: Reader;
  /** The key of the program, for the audit log. */
  readonly keyId?: string;
}

/** Undefined leaves a setting as it is. */
export type AlertChanges = { readonly [Name in keyof AlertSettings]?: AlertSettings[Name] | undefined };

interface Options {
  readonly now: Clock;
  /** The prices of now. */
  readonly book: Pick<Book, "served">;
  /** The sources that are set up now. */
  readonly listSources: () => readonly Pick<FeedSource, "name">[];
}

export function createAlerts(database: Database, { now, book, listSources }: Options) {
  const alerts = database.prisma.alert;

  async function find(accountId: string, id: string): Promise<Alert | null> {
    const row = isId(id) ? await alerts.findFirst({ where: { id, accountId } }) : null;
    return row && toAlert(row);
  }

  /** Throws for a condition that cannot become true any more, or ever. An alert that is paused may have one. */
  function requireFirable(condition: Condition): void {
    requireLine(condition, now());
    requireReachable(condition, (symbol) => book.served(symbol)?.bid ?? null, now());
  }

  return {
    /** One alert of the account, or null. */
    find,

    /** The alerts of an account, newest first. */
    async list(accountId: string): Promise<Alert[]> {
      const rows = await alerts.findMany({ where: { accountId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map(toAlert);
    },

    /** Whether an account has alerts. */
    async hasAny(accountId: string): Promise<boolean> {
      return (await alerts.findFirst({ where: { accountId }, select: { id: true } })) !== null;
    },

    async create(settings: AlertSettings, { by, reader, keyId }: AlertCaller): Promise<Alert> {
      const checked = checkSettings(settings);
      requireSource(checked.condition, listSources());
      requirePlan(checked.condition, reader);
      if (checked.active) requireFirable(checked.condition);
      const { accountId } = by;
      return change(database, async (transaction, revision) => {
        await makeRoom(transaction, { accountId, nowMs: now(), isNew: true, isActive: checked.active });
        await requireWebhook(transaction, accountId, checked.webhookId);
        await requireDrawing(transaction, accountId, checked.condition);
        const data = { ...checked, accountId, createdAt: new Date(now()), revision };
        const alert = toAlert(await transaction.alert.create({ data }));
        const after = toAlertFacts(alert);
        await record(transaction, { atMs: now(), event: "alert.create", by, accountId, ...toKey(keyId), after });
        return alert;
      });
    },

    /** Changes some settings. Another condition, or one that becomes active, begins anew. */
    async update(id: string, changes: AlertChanges, { by, reader, keyId }: AlertCaller): Promise<Alert> {
      const { accountId } = by;
      return change(database, async (transaction, revision) => {
        const row = isId(id) ? await transaction.alert.findFirst({ where: { id, accountId } }) : null;
        if (row === null) return rejectUnknown();
        const before = toAlert(row);
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
        const after = checkSettings({ ...before, ...given });
        requirePlan(after.condition, reader);
        const isActivated = after.active && !before.active;
        if (isActivated) await makeRoom(transaction, { accountId, nowMs: now(), isNew: false, isActive: true });
        await requireWebhook(transaction, accountId, after.webhookId);
        const isChanged = JSON.stringify(after.condition) !== JSON.stringify(before.condition);
        // An alert whose source was removed can still be renamed or paused.
        if (isChanged) {
          requireSource(after.condition, listSources());
          await requireDrawing(transaction, accountId, after.condition);
        }
        const isReset = isActivated || isChanged;
        if (isReset && after.active) requireFirable(after.condition);
        const data = { ...after, ...(isReset ? { state: DbNull } : {}), revision };
        const alert = toAlert(await transaction.alert.update({ where: { id }, data }));
        const facts = { before: toAlertFacts(before), after: toAlertFacts(alert) };
        await record(transaction, { atMs: now(), event: "alert.update", by, accountId, ...toKey(keyId), ...facts });
        return alert;
      });
    },

    /** Deletes an alert, with its log and what was not sent yet. */
    async remove(id: string, { by, keyId }: Omit<AlertCaller, "reader">): Promise<void> {
      const { accountId } = by;
      await change(database, async (transaction) => {
        const row = isId(id) ? await transaction.alert.findFirst({ where: { id, accountId } }) : null;
        if (row === null) return rejectUnknown();
        await transaction.alert.delete({ where: { id } });
        const before = toAlertFacts(toAlert(row));
        await record(transaction, { atMs: now(), event: "alert.delete", by, accountId, ...toKey(keyId), before });
      });
    },
  };
}

const toKey = (keyId: string | undefined) => (keyId === undefined ? {} : { keyId });

function rejectUnknown(): never {
  throw new AccessError("alert_not_found", "There is no such alert.");
}

/** How many alerts of an account may be inactive, as a multiple of those that may be active. */
const MAX_LISTED_PER_ACTIVE = 2;

async function makeRoom(
  transaction: Prisma.TransactionClient,
  { accountId, nowMs, isNew, isActive }: { accountId: string; nowMs: number; isNew: boolean; isActive: boolean },
): Promise<void> {
  const row = await transaction.account.findUnique({ where: { id: accountId } });
  if (row === null) throw new AccessError("account_not_found", "There is no such account.");
  const limit = getAlertLimits(toAccount(row, nowMs).plan).active;
  if (isActive && (await transaction.alert.count({ where: { accountId, active: true } })) >= limit) {
    throw new AccessError(
      "too_many_alerts",
      `Your plan allows ${formatCount(limit)} active alerts. Pause or delete one.`,
    );
  }
  const most = limit * MAX_LISTED_PER_ACTIVE;
  if (isNew && (await transaction.alert.count({ where: { accountId } })) >= most) {
    throw new AccessError("too_many_alerts", `An account may have ${formatCount(most)} alerts in all. Delete one.`);
  }
}

async function requireWebhook(transaction: Prisma.TransactionClient, accountId: string, id: string | null) {
  if (id === null) return;
  const found = isId(id) ? await transaction.webhook.findFirst({ where: { id, accountId } }) : null;
  if (found === null) throw new AccessError("webhook_not_found", "There is no such webhook.");
}

/** A drawing that an alert moves with is one of the account, on the chart of the symbol. */
async function requireDrawing(transaction: Prisma.TransactionClient, accountId: string, condition: Condition) {
  if (condition.type !== "line" || condition.drawing === null) return;
  const { drawing: id, symbol } = condition;
  if ((await transaction.drawing.findFirst({ where: { accountId, id, symbol }, select: { id: true } })) !== null)
    return;
  throw new AccessError("invalid_alert", `There is no such drawing on the chart of ${symbol}.`);
}

/** Whether an alert on a line has ended with it. */
export function hasEnded(condition: Condition, nowMs: number): boolean {
  return condition.type === "line" && isLineOver(toChartLine(condition), nowMs);
}

function requireLine(condition: Condition, nowMs: number): void {
  if (!hasEnded(condition, nowMs)) return;
  throw new AccessError("invalid_alert", "The line has ended. Extend it to the right, or move its end.");
}

/** What a person or a program sets of an alert. */
export interface AlertSettings {
  /** Empty takes the words of the condition. */
  readonly name: string;
  readonly condition: Condition;
  readonly cooldownS: number | null;
  readonly active: boolean;
  readonly webhookId: string | null;
  readonly byMail: boolean;
  /** Whether it is pushed to the devices of the account. */
  readonly byPush: boolean;
}

const MAX_NAME_LENGTH = 100;
/** Between two firings of an alert that repeats. Each event and each day fires for itself. */
export const MIN_COOLDOWN_S = MINUTE_MS / SECOND_MS;
/** The same for alerts that are mailed. */
export const MIN_MAIL_COOLDOWN_S = (15 * MINUTE_MS) / SECOND_MS;
const MAX_COOLDOWN_S = (7 * DAY_MS) / SECOND_MS;

/** Returns the settings as they are stored, or throws an AccessError. */
function checkSettings(settings: AlertSettings): AlertSettings {
  const condition = checkCondition(settings.condition);
  const { cooldownS, active, webhookId, byMail, byPush } = settings;
  checkCooldown(settings);
  const name = checkName(settings.name, condition);
  return { name, condition, cooldownS, active, webhookId, byMail, byPush };
}

/** Returns the condition with the canonical symbol and a level of its digits. */
export function checkCondition(condition: Condition): Condition {
  if (isEventCondition(condition)) return condition;
  const instrument = catalogResolver.find(condition.symbol);
  if (instrument === undefined) {
    throw new AccessError("invalid_symbol", `There is no symbol “${condition.symbol.slice(0, 40)}”.`);
  }
  const { symbol, digits } = instrument;
  if (condition.type === "indicator") return checkIndicator({ ...condition, symbol });
  if (condition.type === "line") return checkLine({ ...condition, symbol });
  if (condition.type !== "price") return { ...condition, symbol };
  const level = roundPrice(condition.level, digits);
  if (level <= 0)
    throw new AccessError("invalid_alert", `The level must be above 0 with the ${digits} digits of ${symbol}.`);
  return { ...condition, symbol, level };
}

/** Returns the condition with the names that answers have. */
function checkIndicator(condition: IndicatorCondition): IndicatorCondition {
  const timeframe = checkTimeframe(condition.timeframe);
  const check = (name: string): string => {
    if (name.toLowerCase() === CLOSE) return CLOSE;
    const found = findIndicator(name);
    if (found === undefined)
      throw new AccessError("invalid_indicator", `There is no indicator “${name.slice(0, 40)}”.`);
    const isTooLong = found.longest !== undefined && getUsualBarMs(timeframe) > getUsualBarMs(found.longest);
    if (isTooLong || (found.isSum === true && !isStored(timeframe))) {
      throw new AccessError("invalid_timeframe", `${found.name} is not computed from bars of ${timeframe}.`);
    }
    return found.name;
  };
  const indicator = check(condition.indicator);
  const against = condition.against === null ? null : check(condition.against);
  if (indicator === against) throw new AccessError("invalid_indicator", "An indicator does not cross itself.");
  return { ...condition, timeframe, indicator, against };
}

function checkTimeframe(text: string): Timeframe {
  const timeframe = readTimeframe(text);
  if (timeframe !== undefined && getUsualBarMs(timeframe) >= MINUTE_MS) return timeframe;
  throw new AccessError("invalid_timeframe", "The timeframe must be one of a minute or more, such as M5, H1 or D1.");
}

/** Returns the condition with times in UTC. Its prices keep all digits: a line passes between two points of the grid. */
function checkLine(condition: LineCondition): LineCondition {
  const toUtc = ({ time, price }: LineCondition["to"]) => ({
    time: new Date(parseTime(time) ?? 0).toISOString(),
    price,
  });
  return {
    ...condition,
    timeframe: checkTimeframe(condition.timeframe),
    ...{ from: toUtc(condition.from), to: toUtc(condition.to) },
  };
}

function requireSource(condition: Condition, sources: readonly Pick<FeedSource, "name">[]): void {
  if (condition.type !== "completeness") return;
  const { source } = condition;
  if (source === null || source === EACH_SOURCE || sources.some(({ name }) => name === source)) return;
  throw new AccessError("invalid_source", `There is no source “${source}”.`);
}

function checkCooldown({ condition, cooldownS, byMail }: AlertSettings): void {
  if (cooldownS === null) return;
  const least = isOfOccasions(condition) ? 0 : byMail ? MIN_MAIL_COOLDOWN_S : MIN_COOLDOWN_S;
  if (Number.isInteger(cooldownS) && cooldownS >= least && cooldownS <= MAX_COOLDOWN_S) return;
  const why = least === MIN_MAIL_COOLDOWN_S ? " for an alert that is mailed" : "";
  throw new AccessError("invalid_alert", `The cool-down must be from ${least} to ${MAX_COOLDOWN_S} seconds${why}.`);
}

function checkName(text: string, condition: Condition): string {
  const name = text.trim() === "" ? describeCondition(condition).slice(0, MAX_NAME_LENGTH) : text.trim();
  if ([...name].length <= MAX_NAME_LENGTH && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name;
  throw new AccessError("invalid_name", `A name has at most ${MAX_NAME_LENGTH} visible characters.`);
}

/** Throws the AccessError "plan_needed" unless the reader's plan includes the data of the condition. */
function requirePlan({ type }: Pick<Condition, "type">, reader: Reader): void {
  const entitlement = findEntitlement(type);
  if (entitlement === null || mayRead(reader, entitlement)) return;
  const what = entitlement === "actuals" ? "released figures" : "the calendar";
  throw new AccessError("plan_needed", `Your plan does not include ${what}.`);
}

/** What a plan must include for a type of condition; null if every plan is enough. */
export function findEntitlement(type: Condition["type"]): "calendar" | "actuals" | null {
  return type === "release" ? "actuals" : type === "upcoming" ? "calendar" : null;
}

/** An alert of an account. */
export interface Alert {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly condition: Condition;
  /** The seconds after a firing in which it does not fire again; null fires once, and is not active afterwards. */
  readonly cooldownS: number | null;
  readonly active: boolean;
  /** Where it is sent; null for nowhere. */
  readonly webhookId: string | null;
  readonly byMail: boolean;
  readonly byPush: boolean;
  /** How often it has fired. */
  readonly firings: number;
  /** UTC milliseconds, like all times here. */
  readonly lastFiredAtMs: number | null;
  readonly createdAtMs: number;
}

function toAlert(row: AlertRow): Alert {
  const { id, accountId, name, cooldownS, active, webhookId, byMail, byPush, firings } = row;
  return {
    ...{ id, accountId, name, cooldownS, active, webhookId, byMail, byPush, firings },
    condition: conditionSchema.parse(row.condition),
    lastFiredAtMs: row.lastFiredAt?.getTime() ?? null,
    createdAtMs: row.createdAt.getTime(),
  };
}

/** The symbol of a condition; null for those of the calendar. */
export function findSymbol(condition: Condition): string | null {
  return isEventCondition(condition) ? null : condition.symbol;
}

/** The settings of an alert as the audit log records them. */
function toAlertFacts(alert: Omit<Alert, "accountId" | "firings" | "lastFiredAtMs" | "createdAtMs">): Facts {
  return {
    alert: alert.id,
    name: alert.name,
    condition: describeCondition(alert.condition),
    cooldown_s: alert.cooldownS,
    active: alert.active,
    webhook: alert.webhookId,
    mail: alert.byMail,
    push: alert.byPush,
  };
}
