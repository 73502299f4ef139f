import type { Pool } from "pg";
import {
  claimDeliveries,
  deleteOldFirings,
  type DueDelivery,
  finishTry,
  type Outcome,
} from "@/lib/alerts/delivery/delivery-rows";
import { sendWebhook, type WebhookOptions } from "@/lib/alerts/delivery/send-webhook";
import { createWebhookSeal } from "@/lib/alerts/webhooks";
import type { Logger } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly now: Clock;
  readonly log: Logger;
  readonly sessionSecret: string;
  readonly isPrivateAllowed: boolean;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
  /** The base of links in mails, without a slash at the end. */
  readonly publicUrl: string;
  /** For tests. */
  readonly sending?: Pick<WebhookOptions, "timeoutMs" | "lookup">;
}

const PAUSE_MS = SECOND_MS;
/** Deliveries at a time. */
const MAX_RUNNING = 32;
const GONE = 410;

/**
 * Sends what alerts wrote. A delivery is claimed in the database before it is sent and noted after it, so that a process
 * that ends between the two sends it again, with the same `webhook-id`.
 */
export class Deliverer {
  readonly #options: Options;
  readonly #seal: ReturnType<typeof createWebhookSeal>;
  readonly #running = new Map<Promise<void>, string>();
  readonly #checking: ReturnType<typeof repeat>;
  #cleanedAtMs = -Infinity;

  constructor(options: Options) {
    const { log } = options;
    this.#options = options;
    this.#seal = createWebhookSeal(options.sessionSecret);
    this.#checking = repeat(() => this.deliver(), {
      pauseMs: PAUSE_MS,
      onFailure: (error) => log.error({ err: error }, "alerts cannot be delivered; trying again"),
      onRecovery: () => log.info("alerts can be delivered again"),
    });
  }

  start(): void {
    this.#checking.start();
  }

  /** Begins no more deliveries, and waits for those that run. */
  async stop(): Promise<void> {
    this.#checking.stop();
    await this.settle();
  }

  /** Begins the deliveries that are due now, and does not wait for them. */
  async deliver(): Promise<void> {
    const { pool, now } = this.#options;
    const nowMs = now();
    if (nowMs - this.#cleanedAtMs > HOUR_MS) {
      await deleteOldFirings(pool, nowMs);
      this.#cleanedAtMs = nowMs;
    }
    const limit = MAX_RUNNING - this.#running.size;
    if (limit === 0) return;
    for (const delivery of await claimDeliveries(pool, { nowMs, limit, busy: [...this.#running.values()] })) {
      const work: Promise<void> = this.#try(delivery).finally(() => this.#running.delete(work));
      this.#running.set(work, delivery.accountId);
    }
  }

  /** Resolves when the running deliveries have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.keys());
  }

  async #try(delivery: DueDelivery): Promise<void> {
    const { pool, now, log } = this.#options;
    const startedAtMs = now();
    const sent = await this.#send(delivery).catch((error: unknown): Omit<Outcome, "durationMs"> => {
      return { ...FAILED, error: error instanceof Error ? error.message : "Sending failed." };
    });
    try {
      const outcome = { ...sent, durationMs: Math.max(0, now() - startedAtMs) };
      const isRetried = await finishTry(pool, delivery, outcome, now());
      if (sent.ok) return;
      const { id, channel, tries } = delivery;
      const reason = sent.error ?? `status ${sent.status}`;
      log.info(
        { delivery: id, channel, tries, reason },
        isRetried ? "delivery failed; trying again" : "delivery failed",
      );
    } catch (error) {
      // The claim ends by itself, and the delivery is tried again.
      log.error({ err: error, delivery: delivery.id }, "the outcome of a delivery cannot be written");
    }
  }

  async #send(delivery: DueDelivery): Promise<Omit<Outcome, "durationMs">> {
    if (delivery.channel === "mail") return this.#mail(delivery);
    const { now, isPrivateAllowed, sending } = this.#options;
    const { url, sealedSecret, webhookId, firingId, body } = delivery;
    const secret = sealedSecret === null ? null : this.#seal.open(sealedSecret, webhookId ?? "");
    if (url === null || secret === null) {
      return { ...FAILED, isFinal: true, error: "The secret of the webhook cannot be read. Create the webhook again." };
    }
    const message = { url, secret, id: firingId, body };
    const { status, text } = await sendWebhook(message, { isPrivateAllowed, nowMs: now(), ...sending });
    const ok = status >= 200 && status < 300;
    return { ok, isFinal: status === GONE, status, text, error: null };
  }

  async #mail({ id, email, message, alertId, alertName }: DueDelivery): Promise<Omit<Outcome, "durationMs">> {
    const { mailer, publicUrl, log } = this.#options;
    if (mailer === null) return { ...FAILED, isFinal: true, error: "This server sends no mail." };
    const text = `${message}\n\nAlert: ${alertName}\nTo change or delete it: ${publicUrl}/alerts?alert=${alertId}\n`;
    try {
      await mailer.send({ to: email, subject: message, text, id });
      return { ...FAILED, ok: true };
    } catch (error) {
      log.error({ err: error, delivery: id }, "alert mail failed");
      return { ...FAILED, error: "The mail server did not accept the mail." };
    }
  }
}

const FAILED = { ok: false, isFinal: false, status: null, text: null, error: null } as const;

/** Creates and starts the deliveries of a server. */
export function startDeliverer(options: Options): Deliverer {
  const deliverer = new Deliverer(options);
  deliverer.start();
  return deliverer;
}
