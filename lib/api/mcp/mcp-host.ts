import type { KeyEntry } from "@/lib/access/admission/directory";
import { MCP_PATH } from "@/lib/api/api-target";
import type { Answer } from "@/lib/api/engine/answer";
import { formatHeaders, KEY_CHALLENGE } from "@/lib/api/engine/answer-headers";
import { authenticate, KEY_NOT_KNOWN_YET } from "@/lib/api/engine/authorise";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { createRequestId } from "@/lib/api/engine/client-address";
import { ApiError } from "@/lib/api/engine/errors";
import { NOT_JSON } from "@/lib/api/engine/input";
import { createDayError, createKeyDayError, createMinuteError, toApiError } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { isKnownHost } from "@/lib/platform/known-host";

/** Answers agents: the Model Context Protocol over HTTP, without sessions. */
export class McpHost {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Answers one message. Never rejects. */
  async answer(given: Call): Promise<Answer> {
    const services = this.#services;
    const call = pickCall(given);
    const requestId = createRequestId();
    const startedAtMs = performance.now();
    const exchange = { key: null as KeyEntry | null, requestId, ignored: null, isKeyDayUsedUp: false };
    let answer: Answer;
    try {
      requirePost(call);
      requireOwnSite(call, services);
      exchange.key = await findKey(call, services);
      let method: unknown = null;
      let message: ReturnType<typeof readMessage>;
      try {
        message = readMessage(call);
        ({ method } = message);
      } finally {
        if (method !== CALL) await countMessage(exchange, method === LIST ? LIST_CREDITS : null, services);
      }
      const { answerMessage } = await import("@/lib/api/mcp/mcp-server");
      const { status, body, hasCalled } = await answerMessage(message, call, services);
      // What names no tool reaches no endpoint that would count it.
      if (method === CALL && !hasCalled) await countMessage(exchange, null, services);
      if (message.method === LIST) noteList(exchange.key, status, call, services);
      answer = { status, body, headers: formatHeaders(exchange, services.now()), isAscii: false };
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : toApiError({ services, requestId }, cause);
      const challenge = error.status === 401 ? KEY_CHALLENGE : "";
      const headers = formatHeaders(exchange, services.now(), error.headers + challenge);
      answer = { status: error.status, body: error.body(), headers, isAscii: false };
    }
    const ms = Math.round((performance.now() - startedAtMs) * 1000) / 1000;
    const { method } = call;
    services.noteCall({
      id: requestId,
      method,
      path: MCP_PATH,
      status: answer.status,
      ms,
      key: exchange.key,
      caller: call,
    });
    return answer;
  }
}

/** Each call of a tool is counted by the API itself. A list of the tools counts like a call. */
const CALL = "tools/call";
const LIST = "tools/list";
const LIST_CREDITS = 1;

/**
 * Counts a message in the minute of its key, which all processes share, and with credits in its days too. Throws 429 if
 * one is used up.
 */
async function countMessage(
  exchange: CountedExchange,
  credits: number | null,
  { windows, now }: Services,
): Promise<void> {
  const { key } = exchange;
  if (key === null) return;
  const verdict = await windows.count(key, credits, now());
  if (verdict === "minute used up") throw createMinuteError(key, now());
  if (verdict === "day used up") throw createDayError(now());
  if (verdict !== "key day used up") return;
  exchange.isKeyDayUsedUp = true;
  throw createKeyDayError(key, now());
}

function noteList(key: KeyEntry, status: number, call: Call, { windows, usage, now }: Services): void {
  const isAnswered = status === 200;
  if (!isAnswered) windows.release(key, LIST_CREDITS, now());
  usage.count(key, MCP_PATH, status, isAnswered ? LIST_CREDITS : 0, call, now());
}

interface CountedExchange {
  readonly key: KeyEntry | null;
  isKeyDayUsedUp: boolean;
}

/** A host's call may be an object of a class, whose methods a copy would lack. */
const pickCall = (call: Call): Call => ({
  method: call.method,
  path: call.path,
  search: call.search,
  apiKey: call.apiKey,
  authorization: call.authorization,
  body: call.body,
  header: (name) => call.header(name),
  address: () => call.address(),
});

/** Sessions would need GET and DELETE; there are none. */
function requirePost({ method }: Call): void {
  if (method === "POST") return;
  throw new ApiError(
    "METHOD_NOT_ALLOWED",
    "Agents send their messages with POST. This server keeps no sessions and sends none of its own.",
    {},
    formatHeaderLine("Allow", "POST"),
  );
}

/** Finds the key, with the checks of a call of `/v1`. */
async function findKey(call: Call, services: Services): Promise<KeyEntry> {
  const attempt = (keysRefreshed: boolean) =>
    authenticate(
      { call, services, nowMs: services.now(), keysRefreshed, link: null, key: null, namedKey: null },
      { takesFeedToken: false },
    );
  try {
    return attempt(false);
  } catch (error) {
    if (error !== KEY_NOT_KNOWN_YET) throw error;
    await services.directory.refresh().catch(() => {});
    return attempt(true);
  }
}

/** Reads the one message of the body. Lists of messages are no longer part of the protocol, and would be unlimited work. */
function readMessage({ body }: Call): Readonly<Record<string, unknown>> {
  if (body === "too_large") throw new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 64 KiB.");
  let message: unknown;
  try {
    message = JSON.parse(body === "none" ? "" : Buffer.from(body).toString("utf8"));
  } catch {
    throw new ApiError("VALIDATION_ERROR", NOT_JSON);
  }
  if (message === null || typeof message !== "object" || Array.isArray(message))
    throw new ApiError("VALIDATION_ERROR", "the body must be one JSON-RPC message");
  return message as Readonly<Record<string, unknown>>;
}

/**
 * Throws 403 for a call that a page of another site may have made. Its owner can point a name of their own at this
 * server (DNS rebinding), so the host must be one that this site is known by, and an Origin must be this site's.
 */
export function requireOwnSite({ header }: Pick<Call, "header">, { url }: Pick<Services, "url">): void {
  const host = header("host") ?? null;
  if (!isKnownHost(host, url)) {
    throw new ApiError(
      "PERMISSION_DENIED",
      "This server does not answer agents under this host name. The setting SPOTLINE_URL names the one that it has.",
    );
  }
  const origin = header("origin");
  if (origin === undefined || readHost(origin) === host?.toLowerCase()) return;
  if (url !== null && URL.canParse(origin) && new URL(url).origin === new URL(origin).origin) return;
  throw new ApiError("PERMISSION_DENIED", "This server does not answer agents in pages of other sites.");
}

const readHost = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);
