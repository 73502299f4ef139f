import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { type Lookup, readHost, resolveTarget } from "@/lib/alerts/delivery/address-guard";
import { signMessage } from "@/lib/alerts/delivery/sign";
import { SECOND_MS } from "@/lib/time/units";

/** One signed message. */
export interface WebhookMessage {
  readonly url: string;
  readonly secret: string;
  /** The same for every try, so that a receiver can ignore a message that it has. */
  readonly id: string;
  readonly body: string;
}

export interface WebhookOptions {
  /** Whether http, and addresses of the own network, are allowed. */
  readonly isPrivateAllowed: boolean;
  /** Unix milliseconds. */
  readonly nowMs: number;
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
}

export interface WebhookAnswer {
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
export async function sendWebhook(message: WebhookMessage, options: WebhookOptions): Promise<WebhookAnswer> {
  const url = new URL(message.url);
  const { isPrivateAllowed, lookup, timeoutMs = WEBHOOK_TIMEOUT_MS } = options;
  if (url.protocol !== "https:" && !isPrivateAllowed) throw new Error("The address must begin with https://.");
  const deadline = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) =>
    deadline.addEventListener("abort", () => reject(createLateError(timeoutMs)), { once: true }),
  );
  late.catch(() => {});
  const target = await Promise.race([resolveTarget(url, { isPrivateAllowed, ...(lookup && { lookup }) }), late]);
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
