import type { FormAction } from "@/features/forms/action-state";
import type { Condition } from "@/lib/alerts/conditions";
import { RETRY_PAUSES_MS } from "@/lib/alerts/delivery-rows";
import type { Delivery, FiringNews, WebhookDelivery } from "@/lib/alerts/firing-log";
import type { PushDevice } from "@/lib/alerts/push-devices";
import type { Webhook } from "@/lib/alerts/webhooks";
import type { QuoteState } from "@/lib/book/freshness";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Everything on the page of alerts. All times are UTC milliseconds. */
export interface AlertsData {
  readonly nowMs: number;
  /** Newest first. */
  readonly alerts: readonly AlertLine[];
  /** The newest firings, or those of the chosen alert. */
  readonly log: readonly LogLine[];
  readonly webhooks: readonly WebhookLine[];
  readonly devices: readonly PushDevice[];
  readonly limits: LimitsNow;
}

/** What an alert does now. */
export type AlertStatus =
  | { readonly kind: "armed" }
  /** It has fired, and does not fire again before this time. */
  | { readonly kind: "quiet"; readonly untilMs: number }
  /** Its line has ended. */
  | { readonly kind: "ended" }
  /** It has fired, and does not repeat. */
  | { readonly kind: "fired" }
  | { readonly kind: "paused" }
  /** The plan does not include the data of its condition. `plans` do: "Starter and Pro". */
  | { readonly kind: "locked"; readonly plans: string };

export interface AlertLine {
  readonly id: string;
  readonly name: string;
  /** The condition in words. */
  readonly words: string;
  /** Null for an alert on events. */
  readonly symbol: string | null;
  readonly status: AlertStatus;
  readonly isActive: boolean;
  /** The figure that is compared with the condition now, such as a price; null if there is none. */
  readonly now: string | null;
  /** How far it is from firing: "level 0.12 % above". */
  readonly away: string | null;
  readonly repeats: string;
  /** "mail", "webhook desk". */
  readonly channels: readonly string[];
  readonly firings: number;
  readonly lastFiredAtMs: number | null;
  /** The outcome of its last messages; empty without any. */
  readonly deliveries: readonly DeliveryLine[];
}

/** A message of a firing over one channel. */
export interface DeliveryLine {
  readonly channel: string;
  readonly look: "good" | "waiting" | "failed";
  readonly text: string;
}

export interface LogLine {
  readonly id: string;
  readonly alertId: string;
  readonly alertName: string;
  readonly atMs: number;
  readonly message: string;
  readonly deliveries: readonly DeliveryLine[];
}

export interface WebhookLine extends Webhook {
  /** The number of alerts that are sent to it. */
  readonly alerts: number;
  /** Newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

export interface LimitsNow {
  readonly plan: string;
  readonly active: number;
  readonly maxActive: number;
  readonly webhooks: number;
  readonly maxWebhooks: number;
  /** The cheapest plan with more alerts; null if there is none. */
  readonly larger: { readonly plan: string; readonly maxActive: number; readonly maxWebhooks: number } | null;
}

/** The quote of the symbol that the form is about; null without one. */
export type SymbolNow = {
  readonly bid: number;
  readonly ask: number;
  readonly digits: number;
  readonly spreadPips: number;
  readonly state: QuoteState;
} | null;

/** The newest firings of an account, for every page. */
export interface News {
  readonly nowMs: number;
  readonly firings: readonly Omit<FiringNews, "accountId">[];
}

export const ALERT_KINDS = [
  "price",
  "move",
  "indicator",
  "spread",
  "state",
  "completeness",
  "release",
  "upcoming",
] as const;
/** A line is drawn on a chart, and its alert is created there. The form edits it. */
export type AlertKind = Condition["type"] & ((typeof ALERT_KINDS)[number] | "line");

/** Whether the form can create an alert of a kind. */
export const isAlertKind = (text: string): text is AlertKind => (ALERT_KINDS as readonly string[]).includes(text);

/** The values of the form, as texts. Fields of other kinds keep what was typed. */
export interface AlertFormValues {
  readonly kind: AlertKind;
  readonly symbol: string;
  readonly price: string;
  readonly direction: string;
  readonly level: string;
  readonly percent: string;
  /** The window of a move. */
  readonly minutes: string;
  readonly states: readonly string[];
  readonly timeframe: string;
  readonly indicator: string;
  /** What the indicator crosses: a number, or another indicator. */
  readonly target: string;
  /** The source of completeness: the name of a source, "*" for each, or "" for the served prices. */
  readonly source: string;
  /** The least completeness of a day, in percent. */
  readonly complete: string;
  /** How long before an event. */
  readonly lead: string;
  /** Codes, separated by commas or spaces. */
  readonly currencies: string;
  readonly impacts: readonly string[];
  readonly search: string;
  /** "once", or the seconds of the cool-down. */
  readonly repeat: string;
  readonly byMail: boolean;
  readonly byPush: boolean;
  /** "" for none. */
  readonly webhookId: string;
  readonly name: string;
}

export const EMPTY_ALERT: AlertFormValues = {
  ...{ kind: "price", symbol: "EURUSD", price: "bid", direction: "either", level: "", percent: "0.5", minutes: "60" },
  ...{ timeframe: "H1", indicator: "RSI_14", target: "70", source: "", complete: "98" },
  ...{ states: ["stale"], lead: "15", currencies: "", impacts: ["high"], search: "" },
  ...{ repeat: "once", byMail: false, byPush: false, webhookId: "", name: "" },
};

/** The saved alert. */
export interface SavedAlert {
  readonly id: string;
}

type AlertFormAction = FormAction<SavedAlert, AlertFormValues>;

/** A new webhook, whose secret its owner sees once. */
export interface CreatedWebhook {
  readonly name: string;
  /** Null for a chat, which has a secret of its own. */
  readonly secret: string | null;
}

/** How a test ended, in words. */
export type TestOutcome = Omit<DeliveryLine, "channel">;

/** What the form of an alert needs of the server. */
export interface FormSetup {
  readonly action: AlertFormAction;
  /** The values that the form begins with. */
  readonly values: AlertFormValues;
  /** The alert to edit; null to create one. */
  readonly editedId: string | null;
  /** The line of the alert to edit, in words, with its timeframe; null for others. */
  readonly line: { readonly words: string; readonly timeframe: string } | null;
  /** The name and the quote of the first symbol. */
  readonly symbolName: string;
  readonly quote: SymbolNow;
  /** What the completeness of a day may be about. */
  readonly sources: readonly { readonly value: string; readonly label: string }[];
  /** The plans that include the data of a kind, for kinds that the account's plan lacks: "Starter and Pro". */
  readonly locked: Readonly<Partial<Record<AlertKind, string>>>;
  readonly email: string;
  /** Whether the server sends mail. */
  readonly hasMail: boolean;
}

export interface FieldsProps {
  readonly values: AlertFormValues;
  readonly onChange: (changed: Partial<AlertFormValues>) => void;
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
}

/** A period in its largest whole unit: "minute", "15 minutes", "90 seconds". */
export function formatPeriod(seconds: number): string {
  const ms = seconds * SECOND_MS;
  const units = [
    ["day", DAY_MS],
    ["hour", HOUR_MS],
    ["minute", MINUTE_MS],
    ["second", SECOND_MS],
  ] as const;
  const [unit, unitMs] = units.find(([, size]) => ms % size === 0) ?? ["second", SECOND_MS];
  const count = ms / unitMs;
  return count === 1 ? unit : `${count} ${unit}s`;
}

export const MAX_TRIES = RETRY_PAUSES_MS.length + 1;

type Outcome = Pick<
  Delivery,
  "state" | "tries" | "dueAtMs" | "durationMs" | "responseStatus" | "responseText" | "error"
>;

/** Says what became of a message: "delivered, 200 in 43 ms". `nowMs` is UTC milliseconds. */
export function describeOutcome(delivery: Outcome, nowMs: number): Omit<DeliveryLine, "channel"> {
  const { state, tries, dueAtMs, durationMs, responseStatus, error } = delivery;
  const answer = responseStatus === null ? "" : `, ${responseStatus} in ${durationMs ?? 0} ms`;
  if (state === "delivered") return { look: "good", text: `delivered${answer}` };
  const reason = error ?? (responseStatus === null ? "" : `status ${responseStatus}`);
  if (state === "failed") {
    return { look: "failed", text: `failed after ${tries === 1 ? "one try" : `${tries} tries`}: ${reason}` };
  }
  // The first try runs.
  if (reason === "") return { look: "waiting", text: "being sent" };
  const seconds = Math.max(0, Math.ceil(((dueAtMs ?? nowMs) - nowMs) / SECOND_MS));
  return { look: "waiting", text: `try ${tries} of ${MAX_TRIES} failed (${reason}), next in ${formatWait(seconds)}` };
}

function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** The outcome of a message, with the name of its channel. */
export function describeDelivery(
  delivery: Delivery,
  webhookNames: ReadonlyMap<string, string>,
  nowMs: number,
): DeliveryLine {
  const { channel, webhookId } = delivery;
  const name = channel === "webhook" ? formatWebhook(webhookNames.get(webhookId ?? "")) : channel;
  return { channel: name, ...describeOutcome(delivery, nowMs) };
}

/** The name of a webhook among the channels of an alert. */
export function formatWebhook(name: string | undefined): string {
  return name === undefined ? "deleted webhook" : `webhook ${name}`;
}

export interface WebhookActions {
  readonly create: FormAction<CreatedWebhook>;
  readonly test: FormAction<TestOutcome>;
  readonly remove: FormAction;
}

export interface DeviceActions {
  readonly add: FormAction;
  readonly test: FormAction<TestOutcome>;
  readonly remove: FormAction;
}
