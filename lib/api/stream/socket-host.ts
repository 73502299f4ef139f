import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import * as z from "zod";
import { isWellFormed } from "@/lib/access/keys/key-format";
import type { Answer } from "@/lib/api/engine/answer";
import type { Input } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { parseBody } from "@/lib/api/engine/input";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { SOCKET_PATH } from "@/lib/api/engine/unknown-path";
import { NodeCall } from "@/lib/api/node-host";
import type { PriceStream } from "@/lib/api/stream/price-stream";
import { findSymbols, MAX_STREAM_NAMES, requireSymbolCount, socketStream } from "@/lib/api/stream/stream";
import type { StreamReader } from "@/lib/api/stream/stream-format";
import { messageFormat } from "@/lib/api/stream/stream-format";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";

/** The subprotocol of the messages. */
const PROTOCOL = "spotline.v1";
/** Browsers cannot set headers on a WebSocket, and addresses are logged, so a second subprotocol may have the key. */
const KEY_PROTOCOL_PREFIX = "key.";
const MAX_MESSAGE_BYTES = 16 * 1024;
const MATCH = { path: socketStream.path, endpoints: [socketStream], segment: "" };

/** Whether a request to upgrade at this path is answered here: at the stream of events the answer names the path of the WebSocket. */
export const isSocketPath = (path: string): boolean => path === SOCKET_PATH || path === socketStream.path;

/** Answers requests to upgrade to a WebSocket, with the checks and errors of every call. */
export function createSocketHost(services: Services, { trustedProxies }: { trustedProxies: TrustedProxies }) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // The library reads nothing of a longer message, so that no error can be sent.
    maxPayload: 4 * MAX_MESSAGE_BYTES,
    // A pong is an answer, which counts like one.
    autoPong: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });

  /** Names of unknown parameters, which the head of the handshake repeats like that of every answer. */
  const ignored = new WeakMap<IncomingMessage, readonly string[]>();
  server.on("headers", (lines, request) => lines.push(...(ignored.get(request) ?? [])));

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => socket.destroy());
    open(request, socket, head).catch((error: unknown) => {
      services.log.error({ err: error }, "opening a WebSocket failed");
      socket.destroy();
    });
  };

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const call = new NodeCall(request, "none", trustedProxies, findProtocolKey(request));
    const answer = await answerCall(call, call.path === SOCKET_PATH ? MATCH : null, services);
    const { stream } = answer;
    if (stream === undefined) return refuse(socket, answer);
    // The library itself answers a handshake that is not valid.
    socket.once("close", () => stream.close());
    ignored.set(request, /^X-Ignored-Params: .*(?=\r)/m.exec(answer.headers) ?? []);
    if (socket.destroyed) return stream.close();
    server.handleUpgrade(request, socket, head, (client: WebSocket) => serveSocket(client, stream, services));
  }
}

/** The key among the offered subprotocols; undefined without one. */
function findProtocolKey({ headers }: IncomingMessage): string | undefined {
  const offered = headers["sec-websocket-protocol"]?.split(",").map((name) => name.trim()) ?? [];
  const key = offered.find((name) => name.startsWith(KEY_PROTOCOL_PREFIX))?.slice(KEY_PROTOCOL_PREFIX.length);
  return key === undefined || isWellFormed(key) ? key : "invalid";
}

function refuse(socket: Duplex, { status, headers, body }: Answer): void {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
  const bytes = Buffer.from(body);
  socket.end(Buffer.concat([Buffer.from(`${line}${headers}${CLOSING}Content-Length: ${bytes.length}\r\n\r\n`), bytes]));
  setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
}

const CLOSING = "Connection: close\r\n";
const REFUSAL_MS = 2_000;

/** Answers to messages that may wait for a client that does not read. */
const MAX_WAITING_BYTES = 64 * 1024;
/** How long a client may take for its part of the closing handshake. */
const CLOSE_MS = 1_000;
const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** Close codes of programs begin here; the status of the error is added. */
const FIRST_OWN_CODE = 4_000;

/** Serves an open WebSocket until it closes. */
function serveSocket(socket: WebSocket, stream: PriceStream, services: Services): void {
  const limit = createMessageLimit(monotonicClock);
  const reader = createSocketReader(socket);
  socket.on("error", () => socket.terminate());
  socket.once("close", () => stream.close());
  const take = (accept: () => void): void => {
    const decision = limit.take();
    if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
    else if (decision === "close") close(socket, POLICY_VIOLATION, "too many messages");
    else if (decision === "accept") accept();
    else socket.send(formatError(createMessageRateError()));
  };
  socket.on("ping", (data) => take(() => socket.pong(data)));
  socket.on("message", (data, isBinary) => take(() => answer(data as Buffer, isBinary)));
  if (stream.symbols.length > 0) stream.open(reader, null);
  else stream.attach(reader);

  function answer(data: Buffer, isBinary: boolean): void {
    if (data.length > MAX_MESSAGE_BYTES) {
      socket.send(formatError(new ApiError("PAYLOAD_TOO_LARGE", "A message has at most 16 KiB.")));
      return close(socket, TOO_BIG, "a message has at most 16 KiB");
    }
    try {
      perform(parseMessage(data, isBinary));
    } catch (error) {
      if (!(error instanceof ApiError)) services.log.error({ err: error }, "message of a stream failed");
      socket.send(
        formatError(error instanceof ApiError ? error : new ApiError("INTERNAL_ERROR", "Something went wrong.")),
      );
    }
  }

  function perform({ value: { op, symbols = [], id }, ignored }: Input<SocketMessage>): void {
    // A message has no headers: its answer names what X-Ignored-Params names for a call.
    const others = ignored === null ? "" : `,"ignored":${JSON.stringify(ignored.split(", "))}`;
    if (op === "ping") {
      socket.send(`{"type":"pong","time":"${new Date(Math.floor(services.marketNow())).toISOString()}"${others}}`);
      return;
    }
    if (stream.isReplaying)
      throw new ApiError("VALIDATION_ERROR", "The symbols of a replay stay until it is live. Open another connection.");
    const { key, call } = stream.owner;
    const named = findSymbols(symbols, key, services);
    const now = stream.symbols.map(({ symbol }) => symbol);
    const chosen = op === "resume" && symbols.length > 0 ? named : change(now, named, op);
    requireSymbolCount(key, chosen.length, call, services);
    socket.send(`{"type":"subscribed","symbols":${JSON.stringify(chosen)}${others}}`);
    stream.choose(chosen, op === "resume" ? (id ?? null) : null);
  }
}

/** The symbols after a message. Unsubscribing without symbols leaves none. */
function change(now: readonly string[], named: readonly string[], op: SocketMessage["op"]): string[] {
  if (op !== "unsubscribe") return [...new Set([...now, ...named])];
  return named.length === 0 ? [] : now.filter((symbol) => !named.includes(symbol));
}

function formatError(error: ApiError): string {
  return `{"type":"error",${error.body().slice(1)}`;
}

function createSocketReader(socket: WebSocket): StreamReader {
  return {
    format: messageFormat,
    countWaiting: () => socket.bufferedAmount,
    write: (bytes, onTaken) => socket.send(bytes, { binary: false }, onTaken),
    finish: () => close(socket, NORMAL, "done"),
    end(reason, retryMs) {
      socket.send(`{"type":"end","retry_ms":${retryMs},${reason.body().slice(1)}`);
      close(socket, reason.code === "SERVICE_UNAVAILABLE" ? GOING_AWAY : FIRST_OWN_CODE + reason.status, reason.code);
    },
    destroy: () => socket.terminate(),
  };
}

function close(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}

const OPERATIONS = ["subscribe", "unsubscribe", "resume", "ping"] as const;

const messageSchema = z.object({
  op: z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(", ")}`),
  symbols: z
    .array(
      z
        .string("must contain only strings")
        .min(1, "must not contain an empty symbol")
        .max(64, "has a name that is long"),
      "must be an array of strings",
    )
    .max(MAX_STREAM_NAMES, `must name at most ${MAX_STREAM_NAMES} symbols`)
    .optional(),
  id: z.string("must be a string").max(64, "must be at most 64 characters").optional(),
});

type SocketMessage = z.output<typeof messageSchema>;

/** Reads a message of a client. Throws 400 VALIDATION_ERROR. */
function parseMessage(data: Buffer, isBinary: boolean): Input<SocketMessage> {
  if (isBinary) throw new ApiError("VALIDATION_ERROR", "Messages are JSON text, not binary data.");
  const message = parseBody(data.toString("utf8"), messageSchema);
  const { op, symbols = [] } = message.value;
  if (op === "subscribe" && symbols.length === 0)
    throw new ApiError("VALIDATION_ERROR", "symbols must name at least one symbol");
  return message;
}

/** The messages that a client may send: a few at once, then so many a second. */
const BURST = 20;
const PER_SECOND = 5;
/** Refused messages in a row after which the connection is closed. */
const MAX_REFUSED = 100;

/** Counts the messages of one connection. `take` returns what to do with the next one. */
function createMessageLimit(monotonic: Clock) {
  let tokens = BURST;
  let refused = 0;
  let atMs = monotonic();
  return {
    take(): "accept" | "refuse" | "close" {
      const nowMs = monotonic();
      tokens = Math.min(BURST, tokens + ((nowMs - atMs) * PER_SECOND) / 1_000);
      atMs = nowMs;
      if (tokens >= 1) {
        tokens -= 1;
        refused = 0;
        return "accept";
      }
      return ++refused >= MAX_REFUSED ? "close" : "refuse";
    },
  };
}

/** The error for a client that sends more. */
function createMessageRateError(): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", `A connection may send ${PER_SECOND} messages a second.`, {
    limit: PER_SECOND,
    remaining: 0,
    reset_in_seconds: 1,
  });
}
