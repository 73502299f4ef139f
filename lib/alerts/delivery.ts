import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import { createSeal } from "@/lib/access/sign-in/tickets";
import {
  claimDeliveries,
  deleteDevice,
  deleteOldFirings,
  type DueDelivery,
  finishTry,
  type Outcome,
} from "@/lib/alerts/delivery-rows";
import { type Post, type PostAnswer, type PostOptions, sendPost } from "@/lib/alerts/send-post";
import {
  createPushSeal,
  deriveVapidKeys,
  type PushSubscription,
  type VapidKeys,
  writePushPost,
} from "@/lib/alerts/web-push";
import type { WebhookRules } from "@/lib/alerts/webhook-address";
import { readChatAnswer, writeChatPost } from "@/lib/alerts/webhook-kinds";
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
  readonly rules: WebhookRules;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
  /** The base of links in messages, without a slash at the end. */
  readonly publicUrl: string;
  /** Whom push services may write to: a mailto: or an https: address. */
  readonly pushContact: string;
  /** For tests. */
  readonly sending?: Pick<PostOptions, "timeoutMs" | "lookup">;
}

const PAUSE_MS = SECOND_MS;
/** Deliveries at a time. */
const MAX_RUNNING = 32;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
const GONE = 410;
const MANY_REQUESTS = 429;
/** Characters of an answer that are kept. */
const MAX_KEPT_CHARACTERS = 200;

/** The beginning of an answer, as printable text. */
const shorten = (body: string) =>
  body
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_KEPT_CHARACTERS);

/**
 * Sends what alerts wrote. A delivery is claimed in the database before it is sent and noted after it, so that a process
 * that ends between the two sends it again, with the same `webhook-id`.
 */
export class Deliverer {
  readonly #options: Options;
  readonly #seal: ReturnType<typeof createWebhookSeal>;
  readonly #deviceSeal: ReturnType<typeof createPushSeal>;
  #keys: VapidKeys | undefined;
  readonly #running = new Map<Promise<void>, string>();
  readonly #checking: ReturnType<typeof repeat>;
  #cleanedAtMs = -Infinity;

  constructor(options: Options) {
    const { log } = options;
    this.#options = options;
    this.#seal = createWebhookSeal(options.sessionSecret);
    this.#deviceSeal = createPushSeal(options.sessionSecret);
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
    let reason: string | null = null;
    const sent = await this.#send(delivery).catch((error: unknown): Sent => {
      reason = error instanceof Error ? error.message : "Sending failed.";
      return error instanceof AccessError ? { ...FAILED, error: error.message } : UNDELIVERED;
    });
    try {
      // How long it took would tell a closed port from one that drops packets.
      const durationMs = sent === UNDELIVERED ? null : Math.max(0, now() - startedAtMs);
      const outcome = { ...sent, durationMs };
      const isRetried = await finishTry(pool, delivery, outcome, now());
      if (sent.ok) return;
      const { id, channel, tries } = delivery;
      log.info(
        { delivery: id, channel, tries, reason: reason ?? sent.error ?? `status ${sent.status}` },
        isRetried ? "delivery failed; trying again" : "delivery failed",
      );
    } catch (error) {
      // The claim ends by itself, and the delivery is tried again.
      log.error({ err: error, delivery: delivery.id }, "the outcome of a delivery cannot be written");
    }
  }

  async #send(delivery: DueDelivery): Promise<Sent> {
    if (delivery.channel === "mail") return this.#mail(delivery);
    if (delivery.channel === "push") return this.#push(delivery);
    const { now, publicUrl } = this.#options;
    const { kind, url, chat, sealedSecret, webhookId, firingId, body, message, alertId, alertName } = delivery;
    const secret = sealedSecret === null ? null : this.#seal.open(sealedSecret, webhookId ?? "");
    if (url === null || secret === null) {
      return { ...FAILED, isFinal: true, error: "The secret of the webhook cannot be read. Create the webhook again." };
    }
    if (kind === null || kind === "signed") {
      const answer = await this.#post({ url, headers: signHeaders(secret, firingId, now(), body), body });
      const { status } = answer;
      const ok = status >= 200 && status < 300;
      const retryAfterMs = answer.retryAfterS === null ? null : answer.retryAfterS * SECOND_MS;
      return { ok, isFinal: status === GONE, status, text: shorten(answer.body), error: null, retryAfterMs };
    }
    const href = alertId === null ? null : `${publicUrl}/alerts?alert=${alertId}`;
    const answer = await this.#post(
      writeChatPost({ kind, url, chat, secret }, { text: nameMessage(alertName, message), href }),
    );
    const { isFinal, error, retryAfterMs } = readChatAnswer(kind, answer);
    // The answers of chats repeat the message.
    return { ok: error === null, isFinal, status: answer.status, text: null, error, retryAfterMs };
  }

  #post(post: Post): Promise<PostAnswer> {
    const { rules, sending } = this.#options;
    return sendPost(post, { rules, ...sending });
  }

  async #push({ firingId, message, alertId, alertName, deviceId, sealedDevice }: DueDelivery): Promise<Sent> {
    const { pool, now, pushContact: contact, sessionSecret } = this.#options;
    if (sealedDevice === null || deviceId === null) {
      return { ...FAILED, isFinal: true, error: "The device was removed." };
    }
    const text = this.#deviceSeal.open(sealedDevice, deviceId);
    if (text === null) {
      return { ...FAILED, isFinal: true, error: "The subscription cannot be read. Add the device again." };
    }
    const keys = (this.#keys ??= deriveVapidKeys(sessionSecret));
    const href = alertId === null ? "/alerts" : `/alerts?alert=${alertId}`;
    const shown = { title: alertName ?? "Spotline test", body: message, tag: `spotline-${firingId}`, href };
    const post = writePushPost(JSON.parse(text) as PushSubscription, JSON.stringify(shown), {
      ...{ keys, contact, nowMs: now() },
    });
    const { status, body, retryAfterS } = await this.#post(post);
    const ok = status >= 200 && status < 300;
    // RFC 8030: the browser has no such subscription any more.
    if (status === GONE || status === NOT_FOUND) {
      await deleteDevice(pool, deviceId);
      const error = "The browser receives no more messages of Spotline: the device was removed.";
      return { ...FAILED, isFinal: true, status, error };
    }
    const isFinal = status >= 400 && status < 500 && status !== MANY_REQUESTS;
    // Apple's push service refuses addresses that receive no mail.
    const why = status === FORBIDDEN ? " If it is Apple’s, the operator sets SPOTLINE_PUSH_CONTACT." : "";
    const error = ok ? null : `The push service refused the message (status ${status}).${why}`;
    const retryAfterMs = retryAfterS === null ? null : retryAfterS * SECOND_MS;
    return { ok, isFinal, status, text: shorten(body), error, retryAfterMs };
  }

  async #mail({ id, email, message, alertId, alertName }: DueDelivery): Promise<Sent> {
    const { mailer, publicUrl, log } = this.#options;
    if (mailer === null) return { ...FAILED, isFinal: true, error: "This server sends no mail." };
    const text = `${message}\n\nAlert: ${alertName}\nTo change or delete it: ${publicUrl}/alerts?alert=${alertId}\n`;
    try {
      await mailer.send({ to: email, subject: nameMessage(alertName, message), text, id });
      return { ...FAILED, ok: true };
    } catch (error) {
      log.error({ err: error, delivery: id }, "alert mail failed");
      return { ...FAILED, error: "The mail server did not accept the mail." };
    }
  }
}

/** A message behind the name of its alert, by which a reader distinguishes two alerts at one level; tests have none. */
const nameMessage = (name: string | null, message: string) => (name === null ? message : `${name}: ${message}`);

type Sent = Omit<Outcome, "durationMs">;

const FAILED = { ok: false, isFinal: false, status: null, text: null, error: null, retryAfterMs: null } as const;

/**
 * What the owner of a webhook reads of any failure without an answer: more would tell which hosts and ports exist in the
 * network of the server. The log has the reason.
 */
const UNDELIVERED = { ...FAILED, error: "The message could not be delivered." } as const;

/** Creates and starts the deliveries of a server. */
export function startDeliverer(options: Options): Deliverer {
  const deliverer = new Deliverer(options);
  deliverer.start();
  return deliverer;
}

/** Signatures of webhooks as https://www.standardwebhooks.com defines them. */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: "whsec_" and 32 random bytes in base64. */
export function mintWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * The value of `webhook-signature`: "v1," and the HMAC-SHA256, in base64, of id, time and body, under the bytes of the
 * secret.
 *
 * @param timestamp Unix seconds
 */
export function signMessage(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

function signHeaders(secret: string, id: string, nowMs: number, body: string): Post["headers"] {
  const timestamp = Math.floor(nowMs / SECOND_MS);
  return {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signMessage(secret, id, timestamp, body),
  };
}

/** Seals secrets of webhooks, each for the id of its webhook. */
export function createWebhookSeal(sessionSecret: string) {
  return createSeal(sessionSecret, "webhook secrets");
}
