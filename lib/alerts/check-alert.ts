import { AccessError } from "@/lib/access/access-error";
import { mayRead, type Reader } from "@/lib/access/plans";
import { type Condition, isEventCondition } from "@/lib/alerts/conditions/condition";
import { describeCondition } from "@/lib/alerts/conditions/describe-condition";
import { roundPrice } from "@/lib/market/price";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** What a person or a program sets of an alert. */
export interface AlertSettings {
  /** Empty takes the words of the condition. */
  readonly name: string;
  readonly condition: Condition;
  readonly cooldownS: number | null;
  readonly active: boolean;
  readonly webhookId: string | null;
  readonly byMail: boolean;
}

const MAX_NAME_LENGTH = 100;
/** Between two firings of an alert that repeats. Each event fires for itself. */
export const MIN_COOLDOWN_S = MINUTE_MS / SECOND_MS;
/** The same for alerts that are mailed. */
export const MIN_MAIL_COOLDOWN_S = (15 * MINUTE_MS) / SECOND_MS;
const MAX_COOLDOWN_S = (7 * DAY_MS) / SECOND_MS;

/** Returns the settings as they are stored, or throws an AccessError. */
export function checkSettings(settings: AlertSettings): AlertSettings {
  const condition = checkCondition(settings.condition);
  const { cooldownS, active, webhookId, byMail } = settings;
  checkCooldown(settings);
  const name = checkName(settings.name, condition);
  return { name, condition, cooldownS, active, webhookId, byMail };
}

/** Returns the condition with the canonical symbol and a level of its digits. */
export function checkCondition(condition: Condition): Condition {
  if (isEventCondition(condition)) return condition;
  const instrument = catalogResolver.find(condition.symbol);
  if (instrument === undefined) {
    throw new AccessError("invalid_symbol", `There is no symbol “${condition.symbol.slice(0, 40)}”.`);
  }
  const { symbol, digits } = instrument;
  if (condition.type !== "price") return { ...condition, symbol };
  const level = roundPrice(condition.level, digits);
  if (level <= 0)
    throw new AccessError("invalid_alert", `The level must be above 0 with the ${digits} digits of ${symbol}.`);
  return { ...condition, symbol, level };
}

function checkCooldown({ condition, cooldownS, byMail }: AlertSettings): void {
  if (cooldownS === null) return;
  const least = isEventCondition(condition) ? 0 : byMail ? MIN_MAIL_COOLDOWN_S : MIN_COOLDOWN_S;
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
export function requirePlan({ type }: Pick<Condition, "type">, reader: Reader): void {
  const entitlement = findEntitlement(type);
  if (entitlement === null || mayRead(reader, entitlement)) return;
  const what = entitlement === "actuals" ? "released figures" : "the calendar";
  throw new AccessError("plan_needed", `Your plan does not include ${what}.`);
}

/** What a plan must include for a type of condition; null if every plan is enough. */
export function findEntitlement(type: Condition["type"]): "calendar" | "actuals" | null {
  return type === "release" ? "actuals" : type === "upcoming" ? "calendar" : null;
}
