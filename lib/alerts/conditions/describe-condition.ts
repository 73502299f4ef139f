import type { Condition, EventFilter, StateCondition } from "@/lib/alerts/conditions/condition";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { formatPrice } from "@/lib/market/price";

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Puts a condition in words: "EURUSD bid rises to 1.08500". */
export function describeCondition(condition: Condition): string {
  switch (condition.type) {
    case "price": {
      const verb = { up: "rises to", down: "falls to", either: "crosses" }[condition.direction];
      return `${condition.symbol} ${condition.price} ${verb} ${formatLevel(condition.symbol, condition.level)}`;
    }
    case "move": {
      const verb = { up: "rises", down: "falls", either: "moves" }[condition.direction];
      return `${condition.symbol} ${verb} by ${condition.percent} % within ${formatMinutes(condition.minutes)}`;
    }
    case "spread":
      return `${condition.symbol} spread is above its usual`;
    case "state":
      return `${condition.symbol} becomes ${formatStates(condition)}`;
    case "release":
      return `A figure is published: ${describeFilter(condition)}`;
    case "upcoming":
      return `An event is due in ${formatMinutes(condition.minutes)}: ${describeFilter(condition)}`;
  }
}

/** A level with the decimals of its symbol. */
export function formatLevel(symbol: string, level: number): string {
  const digits = instrumentBySymbol.get(symbol)?.digits;
  return digits === undefined ? String(level) : formatPrice(level, digits);
}

function formatMinutes(minutes: number): string {
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

function formatStates({ states }: StateCondition): string {
  return OR.format(states);
}

function describeFilter({ currencies, impacts, search }: EventFilter): string {
  const parts = [
    impacts.length === 0 ? "" : `${OR.format(impacts)} impact`,
    currencies.length === 0 ? "" : OR.format(currencies),
    search === "" ? "" : `“${search}” in the title`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "any event" : parts.join(", ");
}
