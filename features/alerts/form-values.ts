import { readSymbolNow } from "@/features/alerts/data";
import { ALERT_KINDS, type AlertFormValues, EMPTY_ALERT, type FormSetup, isAlertKind } from "@/features/alerts/types";
import type { AlertsChoice } from "@/features/alerts/url";
import { FieldError } from "@/features/forms/action-state";
import type { FormReader } from "@/features/forms/form-reader";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlansWith, mayRead } from "@/lib/access/plans";
import { type Alert, type AlertSettings, findEntitlement } from "@/lib/alerts/alerts";
import {
  type Condition,
  describeCondition,
  formatLevel,
  isEventCondition,
  newConditionSchema,
} from "@/lib/alerts/conditions";
import type { Runtime } from "@/lib/runtime";

/** Longer input is cut before it is checked. */
const MAX_LENGTH = 400;

/** Reads what was filled in. Fields that the form of this kind does not have get their usual values. */
export function readAlertForm({ text, texts }: FormReader): AlertFormValues {
  const kind = text("kind");
  const read = (name: keyof AlertFormValues & string) => text(name, MAX_LENGTH);
  return {
    kind: isAlertKind(kind) ? kind : "price",
    symbol: read("symbol"),
    price: read("price") || EMPTY_ALERT.price,
    direction: read("direction") || EMPTY_ALERT.direction,
    level: read("level"),
    percent: read("percent"),
    minutes: read("minutes"),
    states: texts("states"),
    lead: read("lead"),
    currencies: read("currencies"),
    impacts: texts("impacts"),
    search: read("search"),
    repeat: read("repeat") || EMPTY_ALERT.repeat,
    byMail: text("byMail") !== "",
    webhookId: read("webhookId"),
    name: read("name"),
  };
}

/** How errors name the fields of a condition, by the names that the condition has for them. */
const FIELDS: Readonly<Record<string, readonly [field: string, label: string]>> = {
  symbol: ["symbol", "The symbol"],
  level: ["level", "The level"],
  percent: ["percent", "The percentage"],
  minutes: ["minutes", "The time"],
  states: ["states", "The choice"],
  currencies: ["currencies", "The currencies"],
  impacts: ["impacts", "The impact"],
  search: ["search", "The text"],
};

/** Returns the settings of a new alert that the form describes, or throws a FieldError. */
export function toAlertSettings(values: AlertFormValues): AlertSettings {
  const parsed = newConditionSchema.safeParse(toCondition(values));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const [field, label] = FIELDS[String(issue?.path[0])] ?? ["kind", "The condition"];
    const own = field === "minutes" && values.kind === "upcoming" ? "lead" : field;
    throw new FieldError(own, `${label} ${issue?.message ?? "is not valid"}.`);
  }
  const { name, repeat, byMail, webhookId } = values;
  return {
    name,
    active: true,
    byMail,
    condition: parsed.data,
    webhookId: webhookId === "" ? null : webhookId,
    cooldownS: repeat === "once" ? null : toNumber(repeat),
  };
}

function toCondition(values: AlertFormValues): object {
  const { kind: type, symbol, price, direction, states, impacts, search } = values;
  switch (type) {
    case "price":
      return { type, symbol, level: toNumber(values.level), direction, price };
    case "move":
      return { type, symbol, percent: toNumber(values.percent), minutes: toNumber(values.minutes), direction };
    case "spread":
      return { type, symbol };
    case "state":
      return { type, symbol, states };
    case "release":
      return { type, currencies: toCodes(values.currencies), impacts, search: search.trim() };
    case "upcoming": {
      const minutes = toNumber(values.lead);
      return { type, minutes, currencies: toCodes(values.currencies), impacts, search: search.trim() };
    }
  }
}

/** NaN for a text that is not a number, also for an empty one. */
const toNumber = (text: string) => (text.trim() === "" ? NaN : Number(text.trim()));

const toCodes = (text: string) => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== ""),
  ),
];

/** The values that the form shows for an alert. */
export function writeAlertForm({ condition, cooldownS, byMail, webhookId, name }: Alert): AlertFormValues {
  return {
    ...EMPTY_ALERT,
    ...writeCondition(condition),
    // A name that was made of the condition changes with it.
    name: name === describeCondition(condition) ? "" : name,
    ...{ byMail, webhookId: webhookId ?? "", repeat: cooldownS === null ? "once" : String(cooldownS) },
  };
}

function writeCondition(condition: Condition): Partial<AlertFormValues> {
  if (isEventCondition(condition)) {
    const { type: kind, currencies, impacts, search } = condition;
    const lead = condition.type === "upcoming" ? { lead: String(condition.minutes) } : {};
    return { kind, currencies: currencies.join(", "), impacts, search, ...lead };
  }
  const { type: kind, symbol } = condition;
  switch (condition.type) {
    case "price": {
      const { level, direction, price } = condition;
      return { kind, symbol, level: formatLevel(symbol, level), direction, price };
    }
    case "move":
      return {
        ...{ kind, symbol, direction: condition.direction },
        ...{ percent: String(condition.percent), minutes: String(condition.minutes) },
      };
    case "state":
      return { kind, symbol, states: condition.states };
    case "spread":
      return { kind, symbol };
  }
}

/** Reads what the form needs, but for its action; null if the alert to edit does not exist. */
export async function readFormSetup(
  runtime: Runtime,
  account: Account,
  { values: first, editedId }: AlertsChoice,
): Promise<Omit<FormSetup, "action"> | null> {
  const edited = editedId === null ? null : await runtime.alerts.find(account.id, editedId);
  if (editedId !== null && edited === null) return null;
  const values = edited === null ? first : writeAlertForm(edited);
  const locked = ALERT_KINDS.flatMap((kind) => {
    const entitlement = findEntitlement(kind);
    return entitlement === null || mayRead(account, entitlement) ? [] : [[kind, formatPlansWith(entitlement)]];
  });
  return {
    ...{ values, editedId, email: account.email, hasMail: runtime.config.mail !== null },
    symbolName: runtime.resolver.find(values.symbol)?.name ?? "",
    quote: readSymbolNow(runtime, values.symbol),
    locked: Object.fromEntries(locked) as FormSetup["locked"],
  };
}
