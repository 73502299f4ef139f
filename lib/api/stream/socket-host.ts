import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { isWellFormed } from "@/lib/access/keys/key-format";
import type { Answer } from "@/lib/api/engine/call";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { NodeCall } from "@/lib/api/node-host";
import { serveSocket } from "@/lib/api/stream/socket-session";
import { socketStream } from "@/lib/api/stream/stream";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";

/** The path of the WebSocket. */
export const SOCKET_PATH = "/ws/v1/quotes";
/** The subprotocol of the messages. */
const PROTOCOL = "spotline.v1";
/** Browsers cannot set headers on a WebSocket, and addresses are logged, so a second subprotocol may have the key. */
const KEY_PROTOCOL_PREFIX = "key.";
const MAX_MESSAGE_BYTES = 16 * 1024;
const MATCH = { path: socketStream.path, endpoints: [socketStream], segment: "" };

/** Answers requests to upgrade to a WebSocket, with the checks and errors of every call. */
export function createSocketHost(services: Services, { trustedProxies }: { trustedProxies: TrustedProxies }) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // A pong is an answer, which counts like one.
    autoPong: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });

  return async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on("error", () => socket.destroy());
    const call = new NodeCall(request, "none", trustedProxies, findProtocolKey(request));
    const answer = await answerCall(call, MATCH, services);
    const { stream } = answer;
    if (stream === undefined) return refuse(socket, answer);
    // The library itself answers a handshake that is not valid.
    socket.once("close", () => stream.close());
    if (socket.destroyed) return stream.close();
    server.handleUpgrade(request, socket, head, (client: WebSocket) => serveSocket(client, stream, services));
  };
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
