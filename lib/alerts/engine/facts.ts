import type { Condition } from "@/lib/alerts/conditions/condition";
import { formatLevel } from "@/lib/alerts/conditions/describe-condition";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";
import { formatEventBody } from "@/lib/alerts/event-body";
import type { ServedQuote } from "@/lib/book/quote";
import type { CalendarEvent } from "@/lib/calendar/event";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { MINUTE_MS } from "@/lib/time/units";

/** Why an alert fires, for its message and its webhook. */
export interface FiringFacts {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The facts of a condition on a symbol. `value` is the move in percent, or the usual spread in pips. */
export function buildQuoteFacts(
  condition: Exclude<Condition, { type: "release" | "upcoming" }>,
  quote: ServedQuote,
  value: number,
): FiringFacts {
  const { symbol, bid, ask, spreadPips, timeMs, source, state, mode } = quote;
  const timestamp = new Date(timeMs).toISOString();
  const data = { quote: { symbol, bid, ask, spread_pips: spreadPips, timestamp, source, state, data_mode: mode } };
  const price = (each: number) => formatLevel(symbol, each);
  const note = mode === "live" ? "" : ` (${mode === "simulated" ? "simulated" : "replayed"} prices)`;
  const prices = `bid ${price(bid)}, ask ${price(ask)}${note}.`;
  switch (condition.type) {
    case "price":
      return { message: `${symbol} crossed ${price(condition.level)}: ${prices}`, data };
    case "move": {
      const percent = Number(value.toFixed(4));
      const verb = value > 0 ? "rose" : "fell";
      const text = `${symbol} ${verb} by ${Math.abs(value).toFixed(2)} % within ${condition.minutes} min: ${prices}`;
      return { message: text, data: { ...data, move_percent: percent } };
    }
    case "spread": {
      const text = `${symbol} spread is ${spreadPips} pips, above its usual ${value}: ${prices}`;
      return { message: text, data: { ...data, usual_spread_pips: value } };
    }
    case "state":
      return { message: `${symbol} is now ${state === "delayed" ? "live" : state}: ${prices}`, data };
  }
}

/** The facts of an event. The figure is only shown where it is the reason. */
export function buildEventFacts(type: "release" | "upcoming", event: CalendarEvent, nowMs: number): FiringFacts {
  const { id, currency, title, impact, forecast, previous, actual, timeMs, provider } = event;
  const datetime = new Date(timeMs).toISOString();
  const shared = { id, datetime, currency, event: title, impact, forecast, previous, source: provider };
  const note = provider === "simulated" ? " (simulated event)" : "";
  if (type === "release") {
    const rest = [forecast === "" ? "" : `forecast ${forecast}`, previous === "" ? "" : `previous ${previous}`];
    const text = [`${currency} ${title}: ${actual}`, ...rest.filter((part) => part !== "")].join(", ");
    return { message: `${text}${note}.`, data: { event: { ...shared, actual } } };
  }
  const minutes = Math.max(0, Math.ceil((timeMs - nowMs) / MINUTE_MS));
  const message = `${currency} ${title} is due in ${minutes} min, ${impact} impact${note}.`;
  return { message, data: { event: shared } };
}

/** The signed text of a firing. */
export function formatFiringBody(
  { id: alertId, name, condition, firings }: WatchedAlert,
  { id, atMs, facts }: { readonly id: string; readonly atMs: number; readonly facts: FiringFacts },
): string {
  const alert = { id: alertId, name, condition };
  return formatEventBody("alert.fired", atMs, {
    id,
    alert,
    number: firings + 1,
    message: facts.message,
    ...facts.data,
  });
}

/** Points of a spread, in which usual spreads are counted. */
export function countPoints({ symbol, spread }: ServedQuote): number {
  return Math.round(spread * 10 ** (instrumentBySymbol.get(symbol)?.digits ?? 0));
}
