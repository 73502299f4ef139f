import type { Facts } from "@/lib/access/audit-event";
import { type Condition, conditionSchema, isEventCondition } from "@/lib/alerts/conditions/condition";
import { describeCondition } from "@/lib/alerts/conditions/describe-condition";
import type { Alert as AlertRow } from "@/prisma/generated/client";

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
  /** How often it has fired. */
  readonly firings: number;
  /** UTC milliseconds, like all times here. */
  readonly lastFiredAtMs: number | null;
  readonly createdAtMs: number;
}

export function toAlert(row: AlertRow): Alert {
  const { id, accountId, name, cooldownS, active, webhookId, byMail, firings } = row;
  return {
    ...{ id, accountId, name, cooldownS, active, webhookId, byMail, firings },
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
export function toAlertFacts(alert: Omit<Alert, "accountId" | "firings" | "lastFiredAtMs" | "createdAtMs">): Facts {
  return {
    alert: alert.id,
    name: alert.name,
    condition: describeCondition(alert.condition),
    cooldown_s: alert.cooldownS,
    active: alert.active,
    webhook: alert.webhookId,
    mail: alert.byMail,
  };
}
