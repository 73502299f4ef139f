import { createHmac, randomBytes } from "node:crypto";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import { createSeal } from "@/lib/access/sign-in/tickets";
import {
  claimDeliveries,
  deleteOldFirings,
  type DueDelivery,
  finishTry,
  type Outcome,
} from "@/lib/alerts/delivery-rows";
import { type Lookup, readHost, resolveTarget, type WebhookRules } from "@/lib/alerts/webhook-address";
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
    let reason: string | null = null;
    const sent = await this.#send(delivery).catch((error: unknown): Omit<Outcome, "durationMs"> => {
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

  async #send(delivery: DueDelivery): Promise<Omit<Outcome, "durationMs">> {
    if (delivery.channel === "mail") return this.#mail(delivery);
    const { now, rules, sending } = this.#options;
    const { url, sealedSecret, webhookId, firingId, body } = delivery;
    const secret = sealedSecret === null ? null : this.#seal.open(sealedSecret, webhookId ?? "");
    if (url === null || secret === null) {
      return { ...FAILED, isFinal: true, error: "The secret of the webhook cannot be read. Create the webhook again." };
    }
    const message = { url, secret, id: firingId, body };
    const { status, text } = await sendWebhook(message, { rules, nowMs: now(), ...sending });
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

/** One signed message. */
interface WebhookMessage {
  readonly url: string;
  readonly secret: string;
  /** The same for every try, so that a receiver can ignore a message that it has. */
  readonly id: string;
  readonly body: string;
}

interface WebhookOptions {
  readonly rules: WebhookRules;
  /** Unix milliseconds. */
  readonly nowMs: number;
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
}

interface WebhookAnswer {
  readonly status: number;
  /** The beginning of the body, as printable text. */
  readonly text: string;
}

export const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;
/** Bytes of an answer that are read, after which the connection is cut, and characters that are kept. */
const MAX_READ_BYTES = 4_096;
const MAX_KEPT_CHARACTERS = 200;

/**
 * Sends a message and resolves with the answer, whatever its status. Redirects are not followed. Rejects with an Error
 * for the log if there is no answer in time, or the host is not allowed.
 */
async function sendWebhook(message: WebhookMessage, options: WebhookOptions): Promise<WebhookAnswer> {
  const url = new URL(message.url);
  const { rules, lookup, timeoutMs = WEBHOOK_TIMEOUT_MS } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) =>
    deadline.addEventListener("abort", () => reject(createLateError(timeoutMs)), { once: true }),
  );
  late.catch(() => {});
  const target = await Promise.race([resolveTarget(url, rules, lookup), late]);
  return Promise.race([send(url, target.address, { message, nowMs: options.nowMs, deadline }), late]);
}

const createLateError = (ms: number) => new Error(`There was no answer within ${ms / SECOND_MS} seconds.`);

interface Sending {
  readonly message: WebhookMessage;
  readonly nowMs: number;
  readonly deadline: AbortSignal;
}

/** Connects to the checked address. The name stays in the Host header and in the check of the certificate. */
function send(url: URL, address: string, { message, nowMs, deadline }: Sending): Promise<WebhookAnswer> {
  const { id, secret, body } = message;
  const timestamp = Math.floor(nowMs / SECOND_MS);
  const host = readHost(url);
  const begin = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sending = begin({
      host: address,
      ...(url.port === "" ? {} : { port: Number(url.port) }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      path: url.pathname + url.search,
      method: "POST",
      // A connection of its own, so that none to another address is used again.
      agent: false,
      signal: deadline,
      headers: {
        Host: url.host,
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "User-Agent": "Spotline",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signMessage(secret, id, timestamp, body),
      },
    });
    sending.on("response", (response) => void readAnswer(response).then(resolve, reject));
    sending.on("error", (error) => reject(toPlainError(error)));
    sending.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<WebhookAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_READ_BYTES) break;
    }
  } catch {
    // The status has arrived, which is what counts.
  }
  response.destroy();
  const text = Buffer.concat(chunks)
    .toString("utf8")
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
  return { status: response.statusCode ?? 0, text: text.slice(0, MAX_KEPT_CHARACTERS) };
}

/** Says what failed, without addresses. */
function toPlainError(error: Error): Error {
  const { code = "" } = error as { code?: string };
  const reason = REASONS[code];
  if (reason !== undefined) return new Error(reason);
  const isTls = /^(ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO|ERR_SSL)/.test(code);
  return new Error(isTls ? `The TLS connection failed: ${code}.` : "The connection failed.");
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before an answer.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The host cannot be reached.",
  ETIMEDOUT: "The connection could not be opened in time.",
};

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

/** Seals secrets of webhooks, each for the id of its webhook. */
export function createWebhookSeal(sessionSecret: string) {
  return createSeal(sessionSecret, "webhook secrets");
}
