import { isEventCondition } from "@/lib/alerts/conditions/condition";
import { type AlertState, evaluateEvents } from "@/lib/alerts/conditions/evaluate";
import { findDue, findReleased, formatEventKey } from "@/lib/alerts/conditions/events";
import { buildEventFacts, type FiringFacts } from "@/lib/alerts/engine/facts";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";
import type { Entry } from "@/lib/calendar/sorted-events";

interface EventFiring {
  readonly key: string;
  readonly state: AlertState;
  readonly facts: FiringFacts;
}

/**
 * Finds the next event that fires an alert; null if there is none. Several events at once are found one after the other.
 * Changes the state of the alert where nothing fires.
 */
export function checkEvents(
  alert: WatchedAlert,
  events: readonly Entry[],
  { nowMs, isCoolingDown }: { readonly nowMs: number; readonly isCoolingDown: boolean },
): EventFiring | null {
  const { condition, state } = alert;
  if (!isEventCondition(condition)) return null;
  const { type } = condition;
  const found =
    type === "release"
      ? findReleased(events, condition, nowMs)
      : findDue(events, condition, { nowMs, minutes: condition.minutes });
  const keys = found.map((entry) => formatEventKey(type, entry));
  const change = evaluateEvents(keys, state, { ignoresFirst: type === "release" });
  if (change === null) return null;
  const [key] = change.fresh;
  const entry = found[keys.indexOf(key ?? "")];
  if (key === undefined || entry === undefined || isCoolingDown) {
    alert.setState(change.state);
    return null;
  }
  const seen = keys.filter((each) => each === key || !change.fresh.includes(each));
  return { key, state: { seen }, facts: buildEventFacts(type, entry.event, nowMs) };
}
