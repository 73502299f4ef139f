import type { KeyEntry } from "@/lib/access/admission/directory";
import { MCP_PATH } from "@/lib/api/api-target";
import { formatHeaders } from "@/lib/api/engine/answer-headers";
import { authenticate, KEY_NOT_KNOWN_YET } from "@/lib/api/engine/authorise";
import { type Answer, type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { NOT_JSON } from "@/lib/api/engine/parse-input";
import { toApiError } from "@/lib/api/engine/pipeline";
import { createRequestId } from "@/lib/api/engine/request-id";
import type { Services } from "@/lib/api/engine/services";
import { MessageLimit } from "@/lib/api/mcp/message-limit";
import { requireOwnSite } from "@/lib/api/mcp/own-site";

/** Answers agents: the Model Context Protocol over HTTP, without sessions. */
export class McpHost {
  readonly #services: Services;
  readonly #limit = new MessageLimit();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Answers one message. Never rejects. */
  async answer(given: Call): Promise<Answer> {
    const services = this.#services;
    const call = { ...pickCall(given), apiKey: given.apiKey ?? readBearer(given.header("authorization")) };
    const requestId = createRequestId();
    const startedAtMs = performance.now();
    const exchange = { key: null as KeyEntry | null, requestId, ignored: null, isKeyDayUsedUp: false };
    let answer: Answer;
    try {
      requirePost(call);
      requireOwnSite(call, services);
      exchange.key = await findKey(call, services);
      this.#limit.count(exchange.key, services.now());
      const message = readMessage(call);
      const { answerMessage } = await import("@/lib/api/mcp/answer-message");
      const { status, body } = await answerMessage(message, call, services);
      answer = { status, body, headers: formatHeaders(exchange, services.now()), isAscii: false };
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : toApiError({ services, requestId }, cause);
      const headers = formatHeaders(exchange, services.now(), error.headers);
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

/** A host's call may be an object of a class, whose methods a copy would lack. */
const pickCall = (call: Call): Call => ({
  method: call.method,
  path: call.path,
  search: call.search,
  apiKey: call.apiKey,
  body: call.body,
  header: (name) => call.header(name),
  address: () => call.address(),
});

/** Many agents can send a key only this way. */
function readBearer(header: string | undefined): string | undefined {
  return /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
}

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
function readMessage({ body }: Call): object {
  if (body === "too_large") throw new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 64 KiB.");
  let message: unknown;
  try {
    message = JSON.parse(body === "none" ? "" : Buffer.from(body).toString("utf8"));
  } catch {
    throw new ApiError("VALIDATION_ERROR", NOT_JSON);
  }
  if (message === null || typeof message !== "object" || Array.isArray(message))
    throw new ApiError("VALIDATION_ERROR", "the body must be one JSON-RPC message");
  return message;
}
