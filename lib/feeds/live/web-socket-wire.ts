import WebSocket from "ws";
import { type OpenWire, type TlsTrust, VenueError } from "@/lib/feeds/live/connector";
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
export function describeRefusal(status: number, retryAfter: string | undefined): VenueError {
  const isFinal = status === 401 || status === 403;
  const seconds = Number(retryAfter ?? 0);
  return new VenueError(`refused with HTTP status ${status}`, {
    isFinal,
    status,
    retryAfterMs: Number.isFinite(seconds) ? seconds * SECOND_MS : 0,
  });
}
