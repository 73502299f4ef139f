import { AccessError } from "@/lib/access/access-error";
import { toAccount } from "@/lib/access/accounts/account";
import type { Owner } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import { getAlertLimits, type Reader } from "@/lib/access/plans";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { type Alert, toAlert, toAlertFacts } from "@/lib/alerts/alert";
import { type AlertSettings, checkSettings, requirePlan } from "@/lib/alerts/check-alert";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { formatCount } from "@/lib/text/number";
import { Prisma } from "@/prisma/generated/client";

/** The alerts of accounts. Every method rejects with an AccessError for what the caller can correct. */
export type Alerts = ReturnType<typeof createAlerts>;

/** Who changes an alert: the owner on the dashboard, or a program with one of the owner's keys. */
export interface AlertCaller {
  readonly by: Owner;
  /** Whose plan must include the data of the condition. */
  readonly reader: Reader;
  /** The key of the program, for the audit log. */
  readonly keyId?: string;
}

/** Undefined leaves a setting as it is. */
export type AlertChanges = { readonly [Name in keyof AlertSettings]?: AlertSettings[Name] | undefined };

export function createAlerts(database: Database, { now }: { readonly now: Clock }) {
  const alerts = database.prisma.alert;

  async function find(accountId: string, id: string): Promise<Alert | null> {
    const row = isId(id) ? await alerts.findFirst({ where: { id, accountId } }) : null;
    return row && toAlert(row);
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
      requirePlan(checked.condition, reader);
      const { accountId } = by;
      return change(database, async (transaction, revision) => {
        await makeRoom(transaction, { accountId, nowMs: now(), isNew: true, isActive: checked.active });
        await requireWebhook(transaction, accountId, checked.webhookId);
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
        const isReset = isActivated || JSON.stringify(after.condition) !== JSON.stringify(before.condition);
        const data = { ...after, ...(isReset ? { state: Prisma.DbNull } : {}), revision };
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
