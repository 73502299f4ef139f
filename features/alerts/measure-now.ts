import {
  choosePrice,
  type Condition,
  type EventFilter,
  formatLevel,
  isEventCondition,
  type PriceCondition,
} from "@/lib/alerts/conditions";
import { findDue } from "@/lib/alerts/events";
import type { Runtime } from "@/lib/runtime";
import { formatWait } from "@/lib/time/duration";
import { MINUTE_MS, WEEK_MS } from "@/lib/time/units";

interface Measured {
  readonly now: string | null;
  readonly away: string | null;
}

const NOTHING: Measured = { now: null, away: null };

/** Measures what a condition compares, from the newest quote or the next event of the coming week. */
export function measureNow(
  condition: Condition,
  { book, calendar, marketNow, isStale }: Pick<Runtime, "book" | "calendar" | "marketNow" | "isStale">,
): Measured {
  if (isEventCondition(condition)) return findNext(condition, calendar.events, marketNow());
  const quote = book.served(condition.symbol);
  if (quote === undefined || isStale()) return NOTHING;
  switch (condition.type) {
    case "price":
      return {
        now: formatLevel(quote.symbol, choosePrice(quote, condition.price)),
        away: formatAway(condition, quote),
      };
    case "move":
      return { now: formatLevel(quote.symbol, quote.bid), away: null };
    case "spread":
      return { now: `${quote.spreadPips.toFixed(1)} pips`, away: null };
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
