import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { connect as connectPlain } from "node:net";
import { StringDecoder } from "node:string_decoder";
import { connect as connectTls } from "node:tls";
import WebSocket from "ws";
import { type OpenWire, readJson, type TlsTrust, VenueError } from "@/lib/feeds/live/connector";
import { SECOND_MS } from "@/lib/time/units";

/** No venue's message comes near. */
const MAX_MESSAGE_BYTES = 16 * 1_024 * 1_024;
const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;

interface Options extends TlsTrust {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often to send a ping; never by default. Its reply shows that the venue is alive. */
  readonly pingMs?: number;
}

/** Returns a wire over a WebSocket. Text messages arrive as strings, binary ones as buffers. Pings are answered. */
export function openWebSocketWire({ url, headers, pingMs, ca }: Options): OpenWire {
  return (events) => {
    // Compression would cost more time than the short messages save.
    const socket = new WebSocket(url, {
      headers,
      ca,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
    });
    let pinging: NodeJS.Timeout | undefined;
    socket.on("open", () => {
      if (pingMs !== undefined) pinging = setInterval(() => socket.ping(), pingMs);
      events.opened();
    });
    socket.on("message", (data: Buffer, isBinary) => events.received(isBinary ? data : data.toString()));
    socket.on("ping", () => events.alive());
    socket.on("pong", () => events.alive());
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      events.closed(describeRefusal(response.statusCode ?? 0, response.headers["retry-after"]));
    });
    socket.on("close", (code, reason) => events.closed(new Error(`closed with ${code} ${reason.toString()}`.trim())));
    // A close follows each error. Its own message never has the address, which may contain a key.
    socket.on("error", (error: NodeJS.ErrnoException) => events.closed(new Error(error.code ?? error.message)));
    return {
      send: (data) => socket.send(data, () => {}),
      destroy() {
        clearInterval(pinging);
        socket.terminate();
      },
    };
  };
}

/** Wrong credentials stay wrong; a busy venue says when to return. */
function describeRefusal(status: number, retryAfter: string | undefined): VenueError {
  const isFinal = status === 401 || status === 403;
  const seconds = Number(retryAfter ?? 0);
  return new VenueError(`refused with HTTP status ${status}`, {
    isFinal,
    status,
    retryAfterMs: Number.isFinite(seconds) ? seconds * SECOND_MS : 0,
  });
}

const ANSWER_TIMEOUT_MS = 10 * SECOND_MS;

/**
 * Asks a venue for a JSON object once. Rejects with a VenueError if it refuses, and with an Error if there is no answer
 * within ten seconds; no error has the address, which may contain an account.
 */
export async function getJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  try {
    // Headers with a token are for this address only.
    const response = await fetch(url, { headers, redirect: "manual", signal: limit });
    if (response.status === 200) return readJson(await response.text());
    await response.body?.cancel();
    throw describeRefusal(response.status, response.headers.get("retry-after") ?? undefined);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`);
    throw describeFailure(error);
  }
}

function describeFailure(error: unknown): Error {
  const { cause } = error as Error;
  return cause instanceof Error ? new Error((cause as NodeJS.ErrnoException).code ?? cause.message) : (error as Error);
}

/**
 * Returns a wire that is several at once, for a venue that limits what one connection may be subscribed to. It is open
 * once all are, and closed once one is, or is silent for as long as given. What is sent goes over the first.
 */
export function joinWires(wires: readonly OpenWire[], silenceMs: number): OpenWire {
  return (events) => {
    let waiting = wires.length;
    const receivedAtMs = wires.map(() => performance.now());
    const watch = setInterval(() => {
      const isDead = receivedAtMs.some((atMs) => performance.now() - atMs >= silenceMs);
      if (isDead) events.closed(new Error(`nothing arrived for ${silenceMs} ms on one of ${wires.length} connections`));
    }, silenceMs / 4);
    const opened = wires.map((open, index) => {
      const noteReceived = () => void (receivedAtMs[index] = performance.now());
      return open({
        ...events,
        opened() {
          noteReceived();
          if (--waiting === 0) events.opened();
        },
        received(data) {
          noteReceived();
          events.received(data);
        },
        alive() {
          noteReceived();
          events.alive();
        },
      });
    });
    return {
      send: (data) => opened[0]?.send(data),
      destroy() {
        clearInterval(watch);
        for (const wire of opened) wire.destroy();
      },
    };
  };
}

interface HttpWireOptions extends TlsTrust {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a wire that reads the body of one endless HTTP response. Nothing can be sent over it. */
export function openHttpWire({ url, headers, ca }: HttpWireOptions): OpenWire {
  return (events) => {
    const open = url.startsWith("https:") ? requestTls : requestPlain;
    const request = open(url, { headers, ca });
    request.setTimeout(CONNECT_TIMEOUT_MS, () => {
      events.closed(new Error(`no response within ${CONNECT_TIMEOUT_MS} ms`));
    });
    request.on("response", (response) => {
      // From here on the feed watches for silence.
      request.setTimeout(0);
      if (response.statusCode !== 200) {
        response.resume();
        return events.closed(describeRefusal(response.statusCode ?? 0, response.headers["retry-after"]));
      }
      events.opened();
      response.on("data", (data: Buffer) => events.received(data));
      response.on("close", () => events.closed(new Error("closed by the venue")));
      response.on("error", (error: NodeJS.ErrnoException) => events.closed(new Error(error.code ?? error.message)));
    });
    request.on("error", (error: NodeJS.ErrnoException) => events.closed(new Error(error.code ?? error.message)));
    request.end();
    return {
      send() {
        throw new Error("Nothing can be sent over the body of a response");
      },
      destroy: () => request.destroy(),
    };
  };
}

/** A venue that accepts connections but reads nothing must not fill the memory. */
const MAX_UNSENT_BYTES = 1_024 * 1_024;

interface StreamWireOptions extends TlsTrust {
  readonly host: string;
  readonly port: number;
  /** Without TLS only for venues behind a tunnel of the operator's own. */
  readonly tls: boolean;
}

/** Returns a wire over TCP, with or without TLS. Bytes arrive as buffers. */
export function openStreamWire({ host, port, tls, ca }: StreamWireOptions): OpenWire {
  return (events) => {
    const socket = tls ? connectTls({ host, port, ca, servername: host }) : connectPlain({ host, port });
    const slow = setTimeout(
      () => events.closed(new Error(`not connected within ${CONNECT_TIMEOUT_MS} ms`)),
      CONNECT_TIMEOUT_MS,
    );
    socket.setNoDelay(true);
    socket.on(tls ? "secureConnect" : "connect", () => {
      clearTimeout(slow);
      events.opened();
    });
    socket.on("data", (data: Buffer) => events.received(data));
    socket.on("error", (error: NodeJS.ErrnoException) => events.closed(new Error(error.code ?? error.message)));
    socket.on("end", () => events.closed(new Error("closed by the venue")));
    socket.on("close", () => {
      clearTimeout(slow);
      events.closed(new Error("closed"));
    });
    return {
      send(data) {
        socket.write(data);
        if (socket.writableLength > MAX_UNSENT_BYTES) events.closed(new Error("the venue does not read"));
      },
      destroy: () => socket.destroy(),
    };
  };
}

/** No venue's line comes near. */
const MAX_LINE_LENGTH = 16 * 1_024 * 1_024;

/** Splits the bytes of a stream into lines. Chunks may begin and end anywhere, also within a character. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  /** Returns the lines that are complete now, without their ends and without empty ones. Throws if one is too long. */
  split(chunk: string | Buffer): string[] {
    const text = this.#rest + (typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    const lines = text.split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE_LENGTH) throw new Error(`a line has more than ${MAX_LINE_LENGTH} characters`);
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)).filter((line) => line !== "");
  }
}
