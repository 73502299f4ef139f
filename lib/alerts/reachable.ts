import { AccessError } from "@/lib/access/access-error";
import { CLOSE, type Condition, formatLevel, type IndicatorCondition, toChartLine } from "@/lib/alerts/conditions";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { findLineLevel, TimeAxis } from "@/lib/market/time-axis";
import { getBarStart, type Timeframe } from "@/lib/market/timeframe";

/** Refuses alerts that cannot fire: a level that no value reaches waits for ever, and its owner trusts it. */

/** The price of a symbol now; null before the first. */
type FindPrice = (symbol: string) => number | null;

/** How many times higher or lower than now a price may be waited for: coins and stocks move farther than currencies. */
const FACTORS: Readonly<Partial<Record<Instrument["category"], number>>> = { forex: 3, metals: 5, indices: 5 };
const OTHER_FACTOR = 20;

/** Throws an AccessError that says why the condition cannot become true. Levels are not judged before the first price. */
export function requireReachable(condition: Condition, findPrice: FindPrice, nowMs: number): void {
  if (condition.type === "move" && condition.direction === "down" && condition.percent >= 100)
    throw new AccessError("invalid_alert", "A price cannot fall by 100 % or more.");
  if (condition.type === "price") requirePrice(condition.symbol, condition.level, findPrice);
  if (condition.type === "indicator") requireCrossing(condition, findPrice);
  if (condition.type !== "line") return;
  const level = findLevelNow(condition, nowMs);
  if (level === null) return;
  const isFalling = condition.to.price < condition.from.price;
  if (level > 0) requirePrice(condition.symbol, level, findPrice);
  else if (isFalling) throw new AccessError("invalid_alert", "The line has fallen below 0, where no price comes.");
}

/** The level of a line now, by trading hours alone; null where the line is not. */
function findLevelNow(condition: Extract<Condition, { type: "line" }>, nowMs: number): number | null {
  const instrument = instrumentBySymbol.get(condition.symbol);
  if (instrument === undefined) return null;
  const line = toChartLine(condition);
  const timeframe = condition.timeframe as Timeframe;
  const axis = new TimeAxis(timeframe, instrument.tradingHours);
  axis.update([[getBarStart(timeframe, line.from[0])]]);
  return findLineLevel(axis, line, nowMs);
}

type Interval = readonly [lowest: number, highest: number];

/** The prices that a symbol may have before long; all before its first price. */
function findReach(symbol: string, findPrice: FindPrice): Interval {
  const now = findPrice(symbol);
  const category = instrumentBySymbol.get(symbol)?.category;
  const factor = (category === undefined ? undefined : FACTORS[category]) ?? OTHER_FACTOR;
  return now === null || now <= 0 ? [-Infinity, Infinity] : [now / factor, now * factor];
}

function requirePrice(symbol: string, level: number, findPrice: FindPrice): void {
  const [lowest, highest] = findReach(symbol, findPrice);
  if (level >= lowest && level <= highest) return;
  const [wanted, now] = [formatLevel(symbol, level), formatLevel(symbol, findPrice(symbol) ?? 0)];
  throw new AccessError(
    "invalid_alert",
    `${symbol} is at ${now}, too far from ${wanted}. Is it the level of another symbol?`,
  );
}

/** Compares what the two sides of a crossing can be. */
function requireCrossing(
  { symbol, indicator, against, level, direction }: IndicatorCondition,
  findPrice: FindPrice,
): void {
  const prices = findReach(symbol, findPrice);
  const read = (name: string): Interval => {
    const definition = name === CLOSE ? null : findIndicator(name);
    if (definition === null || definition?.decimals === "price") return prices;
    if (definition?.decimals === "difference") return definition.range ?? [-prices[1], prices[1]];
    return definition?.range ?? [-Infinity, Infinity];
  };
  const [lowest, highest] = read(indicator);
  const [least, most] = against === null ? ([level ?? 0, level ?? 0] as const) : read(against);
  const canRise = highest > least && lowest <= most;
  const canFall = lowest < most && highest >= least;
  if ((direction !== "down" && canRise) || (direction !== "up" && canFall)) return;
  const side = direction === "either" ? "" : direction === "up" ? " above" : " below";
  const range = Number.isFinite(lowest) && Number.isFinite(highest) ? `: it is from ${lowest} to ${highest}` : "";
  throw new AccessError("invalid_alert", `${indicator} cannot cross${side} ${against ?? level}${range}.`);
}
