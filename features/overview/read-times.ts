import type { CalendarPart, NextEvent, SessionNow } from "@/features/overview/types";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlansWith } from "@/lib/access/plan-text";
import { mayRead } from "@/lib/access/plans";
import type { CalendarEvent } from "@/lib/calendar/event";
import { getWholeDay } from "@/lib/calendar/whole-day";
import { SESSION_NAMES } from "@/lib/market/sessions/session-hours";
import type { Runtime } from "@/lib/runtime";
import { WEEK_MS } from "@/lib/time/units";

/** Further ahead, few publishers have times. */
const WEEKS_AHEAD = 2;
const SHOWN_EVENTS = 4;
/** Events without an hour are left out of them. */
const MOST_READ = 100;

/** Reads which sessions are open, and when each of them changes. */
export function readSessions({ sessions }: Pick<Runtime, "sessions">, nowMs: number): SessionNow[] {
  const { states, isWeekend } = sessions.at(nowMs);
  const around = sessions.between(nowMs, nowMs + 1);
  return SESSION_NAMES.map((name) => ({
    name,
    isWeekend,
    isHoliday: around[name].holidays.length > 0,
    openedAtMs: around[name].open[0]?.fromMs ?? null,
    ...states[name],
  }));
}

/** Reads the next events of high impact that have an hour. */
export function readCalendarPart(
  { calendar }: Pick<Runtime, "calendar">,
  account: Pick<Account, "role" | "plan">,
  nowMs: number,
): CalendarPart {
  if (!mayRead(account, "calendar")) return { isLocked: true, plans: formatPlansWith("calendar") };
  const { shown } = calendar.query({
    fromMs: nowMs + 1,
    toMs: nowMs + WEEKS_AHEAD * WEEK_MS,
    newestFirst: false,
    currencies: null,
    impact: "high",
    search: null,
    stream: null,
    offset: 0,
    limit: MOST_READ,
  });
  const next = shown
    .map(({ event }) => event)
    .filter((event) => getWholeDay(event) === null)
    .slice(0, SHOWN_EVENTS);
  const isSimulated = next.some(({ provider }) => provider === "simulated");
  return { isLocked: false, isSimulated, events: next.map(toNextEvent) };
}

function toNextEvent({ id, currency, title, timeMs, forecast, previous }: CalendarEvent): NextEvent {
  return { id, currency, title, timeMs, forecast, previous };
}
