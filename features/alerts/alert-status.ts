import { formatPeriod } from "@/features/alerts/format-period";
import type { AlertStatus } from "@/features/alerts/types";
import { formatPlansWith } from "@/lib/access/plan-text";
import { mayRead, type Reader } from "@/lib/access/plans";
import { type Alert, findEntitlement } from "@/lib/alerts/alerts";
import { isEventCondition } from "@/lib/alerts/conditions";
import { SECOND_MS } from "@/lib/time/units";

/** Finds what an alert does at a time. */
export function findStatus(alert: Alert, reader: Reader, nowMs: number): AlertStatus {
  const { active, condition, cooldownS, lastFiredAtMs } = alert;
  if (!active) return { kind: cooldownS === null && lastFiredAtMs !== null ? "fired" : "paused" };
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
  if (cooldownS === 0 && isEventCondition(condition)) return "every event";
  return `at most every ${formatPeriod(cooldownS)}`;
}
