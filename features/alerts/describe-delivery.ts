import type { DeliveryLine } from "@/features/alerts/types";
import { RETRY_PAUSES_MS } from "@/lib/alerts/delivery-rows";
import type { Delivery } from "@/lib/alerts/firing-log";
import { SECOND_MS } from "@/lib/time/units";

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
  const name = channel === "mail" ? "mail" : formatWebhook(webhookNames.get(webhookId ?? ""));
  return { channel: name, ...describeOutcome(delivery, nowMs) };
}

/** The name of a webhook among the channels of an alert. */
export function formatWebhook(name: string | undefined): string {
  return name === undefined ? "deleted webhook" : `webhook ${name}`;
}
