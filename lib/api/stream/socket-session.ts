import type { WebSocket } from "ws";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import type { PriceStream, StreamReader } from "@/lib/api/stream/price-stream";
import {
  createMessageLimit,
  createMessageRateError,
  parseMessage,
  type SocketMessage,
} from "@/lib/api/stream/socket-message";
import { findSymbols } from "@/lib/api/stream/stream";
import { requireSymbolCount } from "@/lib/api/stream/stream-access";
import { messageFormat } from "@/lib/api/stream/stream-format";
import { monotonicClock } from "@/lib/platform/timing/clock";

/** Answers to messages that may wait for a client that does not read. */
const MAX_WAITING_BYTES = 64 * 1024;
/** How long a client may take for its part of the closing handshake. */
const CLOSE_MS = 1_000;
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
/** Close codes of programs begin here; the status of the error is added. */
const FIRST_OWN_CODE = 4_000;

/** Serves an open WebSocket until it closes. */
export function serveSocket(socket: WebSocket, stream: PriceStream, services: Services): void {
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
    try {
      perform(parseMessage(data, isBinary));
    } catch (error) {
      if (!(error instanceof ApiError)) services.log.error({ err: error }, "message of a stream failed");
      socket.send(
        formatError(error instanceof ApiError ? error : new ApiError("INTERNAL_ERROR", "Something went wrong.")),
      );
    }
  }

  function perform({ op, symbols = [], id }: SocketMessage): void {
    if (op === "ping") {
      socket.send(`{"type":"pong","time":"${new Date(Math.floor(services.marketNow())).toISOString()}"}`);
      return;
    }
    const { key, call } = stream.owner;
    const named = findSymbols(symbols, key, services);
    const now = stream.symbols.map(({ symbol }) => symbol);
    const chosen = op === "resume" && symbols.length > 0 ? named : change(now, named, op);
    requireSymbolCount(key, chosen.length, call, services);
    socket.send(`{"type":"subscribed","symbols":${JSON.stringify(chosen)}}`);
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
    write: (bytes) => socket.send(bytes, { binary: false }),
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
