import { readSymbolNow } from "@/features/alerts/data";
import {
  ALERT_KINDS,
  type AlertFormValues,
  EMPTY_ALERT,
  type FormSetup,
  isAlertKind,
  type SymbolNow,
} from "@/features/alerts/types";
import type { AlertsChoice } from "@/features/alerts/url";
import { FieldError } from "@/features/forms/action-state";
import type { FormReader } from "@/features/forms/form-reader";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlansWith, mayRead } from "@/lib/access/plans";
import { type Alert, type AlertSettings, findEntitlement } from "@/lib/alerts/alerts";
import {
  type Condition,
  describeCondition,
  EACH_SOURCE,
  formatLevel,
  isEventCondition,
  type LineCondition,
  newConditionSchema,
} from "@/lib/alerts/conditions";
import type { Runtime } from "@/lib/runtime";
import { readTypedNumber } from "@/lib/text/typed-number";

/** Longer input is cut before it is checked. */
const MAX_LENGTH = 400;

/** Reads what was filled in. Fields that the form of this kind does not have get their usual values. */
export function readAlertForm({ text, texts }: FormReader): AlertFormValues {
  const kind = text("kind");
  const read = (name: keyof AlertFormValues & string) => text(name, MAX_LENGTH);
  return {
    kind: kind === "line" || isAlertKind(kind) ? kind : "price",
    symbol: read("symbol"),
    price: read("price") || EMPTY_ALERT.price,
    direction: read("direction") || EMPTY_ALERT.direction,
    level: read("level"),
    percent: read("percent"),
    minutes: read("minutes"),
    states: texts("states"),
    timeframe: read("timeframe") || EMPTY_ALERT.timeframe,
    indicator: read("indicator"),
    target: read("target"),
    source: read("source"),
    complete: read("complete"),
    lead: read("lead"),
    currencies: read("currencies"),
    impacts: texts("impacts"),
    search: read("search"),
    repeat: read("repeat") || EMPTY_ALERT.repeat,
    byMail: text("byMail") !== "",
    byPush: text("byPush") !== "",
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
  timeframe: ["timeframe", "The timeframe"],
  indicator: ["indicator", "The indicator"],
  against: ["against", "The indicator"],
  source: ["source", "The source"],
  currencies: ["currencies", "The currencies"],
  impacts: ["impacts", "The impact"],
  search: ["search", "The text"],
};

/** The fields of a form that are not named as those of the condition. */
const OWN_FIELDS: Readonly<Partial<Record<AlertFormValues["kind"], Readonly<Record<string, string>>>>> = {
  upcoming: { minutes: "lead" },
  completeness: { percent: "complete" },
  indicator: { level: "target", against: "target" },
};

/**
 * Returns the settings of the alert that the form describes, or throws a FieldError. The `quote` of its symbol decides how
 * a level such as "1,085" is read. A line stays as the alert to edit has it.
 */
export function toAlertSettings(
  values: AlertFormValues,
  quote: SymbolNow,
  edited: Condition | null = null,
): AlertSettings {
  const parsed = newConditionSchema.safeParse(toCondition(values, quote, edited));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const [field, label] = FIELDS[String(issue?.path[0])] ?? ["kind", "The condition"];
    throw new FieldError(OWN_FIELDS[values.kind]?.[field] ?? field, `${label} ${issue?.message ?? "is not valid"}.`);
  }
  const { name, repeat, byMail, byPush, webhookId } = values;
  return {
    name,
    active: true,
    byMail,
    byPush,
    condition: parsed.data,
    webhookId: webhookId === "" ? null : webhookId,
    cooldownS: repeat === "once" ? null : Number(repeat),
  };
}

function toCondition(values: AlertFormValues, quote: SymbolNow, edited: Condition | null): object {
  const { kind: type, symbol, price, direction, states, impacts, search } = values;
  switch (type) {
    case "price":
      return { type, symbol, level: readField("level", values.level, { near: quote?.bid }), direction, price };
    case "line":
      if (edited?.type === type) return { ...edited, direction, price };
      throw new FieldError("kind", "An alert on a line is created on the chart: select the line there.");
    case "move": {
      const percent = readField("percent", values.percent, { accepts: isPercent });
      return { type, symbol, percent, minutes: readField("minutes", values.minutes, IN_MINUTES), direction };
    }
    case "indicator": {
      const { timeframe, target } = values;
      const shared = { type, symbol, timeframe: timeframe.trim(), indicator: values.indicator.trim(), direction };
      // Names begin with a letter.
      if (/^\s*[a-z]/i.test(target)) return { ...shared, against: target.trim() };
      return { ...shared, level: readField("target", target) };
    }
    case "spread":
      return { type, symbol };
    case "state":
      return { type, symbol, states };
    case "completeness": {
      const percent = readField("complete", values.complete, { accepts: isShare });
      return { type, symbol, source: values.source === "" ? null : values.source, percent };
    }
    case "release":
      return { type, currencies: toCodes(values.currencies), impacts, search: search.trim() };
    case "upcoming": {
      const minutes = readField("lead", values.lead, IN_MINUTES);
      return { type, minutes, currencies: toCodes(values.currencies), impacts, search: search.trim() };
    }
  }
}

/** The fields of conditions that fields of the form are read into. */
const NAMES: Readonly<Record<string, string>> = { lead: "minutes", complete: "percent", target: "level" };
const IN_MINUTES = { isWhole: true };
/** No move of a price has more, so that "1,085" is one percent. */
const isPercent = (value: number) => value <= 1_000;

/** No day has more, so that "97,525" is not a thousand. */
const isShare = (value: number) => value <= 100;

/** Throws a FieldError for what is no number, or may be two. */
function readField(field: string, typed: string, hints: Parameters<typeof readTypedNumber>[1] = {}): number {
  const read = readTypedNumber(typed, hints);
  if ("value" in read) return read.value;
  const [, label] = FIELDS[NAMES[field] ?? field] ?? ["", "The number"];
  throw new FieldError(field, `${label} ${read.problem}.`);
}

const toCodes = (text: string) => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== ""),
  ),
];

/** The values that the form shows for an alert. */
export function writeAlertForm({ condition, cooldownS, byMail, byPush, webhookId, name }: Alert): AlertFormValues {
  return {
    ...EMPTY_ALERT,
    ...writeCondition(condition),
    // A name that was made of the condition changes with it.
    name: name === describeCondition(condition) ? "" : name,
    ...{ byMail, byPush, webhookId: webhookId ?? "", repeat: cooldownS === null ? "once" : String(cooldownS) },
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
    case "line":
      return { kind, symbol, direction: condition.direction, price: condition.price };
    case "move":
      return {
        ...{ kind, symbol, direction: condition.direction },
        ...{ percent: String(condition.percent), minutes: String(condition.minutes) },
      };
    case "indicator": {
      const { timeframe, indicator, direction, level, against } = condition;
      return { kind, symbol, timeframe, indicator, direction, target: against ?? String(level) };
    }
    case "state":
      return { kind, symbol, states: condition.states };
    case "spread":
      return { kind, symbol };
    case "completeness":
      return { kind, symbol, source: condition.source ?? "", complete: String(condition.percent) };
  }
}

/** The source of an alert stays a choice after it was removed. */
function listSourceChoices({ listSources }: Pick<Runtime, "listSources">, chosen: string): FormSetup["sources"] {
  const isOwn = chosen !== "" && chosen !== EACH_SOURCE;
  const names = new Set([...listSources().map(({ name }) => name), ...(isOwn ? [chosen] : [])]);
  return [
    { value: "", label: "That were served" },
    { value: EACH_SOURCE, label: "Of each source by itself" },
    ...[...names].map((name) => ({ value: name, label: `Of ${name}` })),
  ];
}

function describeLine(condition: Condition | null): FormSetup["line"] {
  if (condition?.type !== "line") return null;
  const { from, to, extend, timeframe, scale, drawing } = condition;
  const point = ({ time, price }: LineCondition["to"]) =>
    `${formatLevel(condition.symbol, price)} on ${time.slice(0, 16).replace("T", " ")} UTC`;
  const where = { none: "until its end", right: "and on to the right", left: "until its end", both: "and on" }[extend];
  const what =
    from.price === to.price ? `At ${formatLevel(condition.symbol, to.price)}` : `From ${point(from)} to ${point(to)}`;
  const how = scale === "log" ? `${timeframe} with a logarithmic scale` : timeframe;
  const moves = drawing === null ? "" : " Moving or deleting it on the chart changes the alert too.";
  return { words: `${what}, ${where}, straight on the chart of ${how}.${moves}`, timeframe };
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
    line: describeLine(edited?.condition ?? null),
    symbolName: runtime.resolver.find(values.symbol)?.name ?? "",
    quote: readSymbolNow(runtime, values.symbol),
    sources: listSourceChoices(runtime, values.source),
    locked: Object.fromEntries(locked) as FormSetup["locked"],
  };
}
