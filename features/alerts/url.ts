import { type AlertFormValues, EMPTY_ALERT, isAlertKind } from "@/features/alerts/types";
import { isId } from "@/lib/access/id";
import { catalogResolver } from "@/lib/market/catalog-resolver";

/** What the address of the page of alerts says. */
export interface AlertsChoice {
  /** The values that the form of a new alert begins with. */
  readonly values: AlertFormValues;
  /** Whether a phone shows the form. */
  readonly isOpen: boolean;
  /** The alert to edit. */
  readonly editedId: string | null;
  /** The alert whose log is shown. */
  readonly alertId: string | null;
}

const TEXTS = [
  ...(["price", "direction", "level", "percent", "minutes", "source", "complete"] as const),
  ...(["lead", "currencies", "search"] as const),
];
const LISTS = ["states", "impacts"] as const;
const MAX_LENGTH = 100;

/** Reads an address such as `/alerts?symbol=EURUSD&kind=price`. What it does not name, or names wrongly, is as usual. */
export function readAlertsChoice(search: URLSearchParams): AlertsChoice {
  const values: { -readonly [Name in keyof AlertFormValues]: AlertFormValues[Name] } = { ...EMPTY_ALERT };
  const kind = search.get("kind") ?? "";
  if (isAlertKind(kind)) values.kind = kind;
  values.symbol = catalogResolver.find(search.get("symbol") ?? "")?.symbol ?? values.symbol;
  for (const name of TEXTS) values[name] = search.get(name)?.slice(0, MAX_LENGTH) ?? values[name];
  for (const name of LISTS) values[name] = readList(search.get(name)) ?? values[name];
  return { values, isOpen: isAlertKind(kind), editedId: readId(search, "edit"), alertId: readId(search, "alert") };
}

function readList(text: string | null): readonly string[] | null {
  return text === null
    ? null
    : text
        .slice(0, MAX_LENGTH)
        .split(",")
        .filter((word) => word !== "");
}

function readId(search: URLSearchParams, name: string): string | null {
  const id = search.get(name) ?? "";
  return isId(id) ? id : null;
}
