import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { type Lookup, readHost, resolveTarget, type WebhookRules } from "@/lib/alerts/webhook-address";
import { SECOND_MS } from "@/lib/time/units";

/** One POST to an address that an account has chosen. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Buffer;
}

export interface PostOptions {
  readonly rules: WebhookRules;
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
}

export interface PostAnswer {
  readonly status: number;
  /** The beginning of the body. */
  readonly body: string;
  /** The seconds of the header Retry-After; null without it, or if it is a date. */
  readonly retryAfterS: number | null;
}

export const POST_TIMEOUT_MS = 10 * SECOND_MS;
/** Bytes of an answer that are read, after which the connection is cut. */
const MAX_READ_BYTES = 4_096;

/**
 * Sends a POST and resolves with the answer, whatever its status. Redirects are not followed. Rejects with an Error for
 * the log if there is no answer in time, or the host is not allowed.
 */
export async function sendPost(post: Post, options: PostOptions): Promise<PostAnswer> {
  const url = new URL(post.url);
  const { rules, lookup, timeoutMs = POST_TIMEOUT_MS } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) =>
    deadline.addEventListener("abort", () => reject(createLateError(timeoutMs)), { once: true }),
  );
  late.catch(() => {});
  const target = await Promise.race([resolveTarget(url, rules, lookup), late]);
  return Promise.race([send(url, target.address, post, deadline), late]);
}

const createLateError = (ms: number) => new Error(`There was no answer within ${ms / SECOND_MS} seconds.`);

/** Connects to the checked address. The name stays in the Host header and in the check of the certificate. */
function send(url: URL, address: string, { headers, body }: Post, deadline: AbortSignal): Promise<PostAnswer> {
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
      headers: { Host: url.host, "Content-Length": Buffer.byteLength(body), "User-Agent": "Spotline", ...headers },
    });
    sending.on("response", (response) => void readAnswer(response).then(resolve, reject));
    sending.on("error", (error) => reject(toPlainError(error)));
    sending.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<PostAnswer> {
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
  const retryAfter = response.headers["retry-after"] ?? "";
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8"),
    retryAfterS: /^\d{1,9}(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) : null,
  };
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
