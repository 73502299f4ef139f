import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { type Listener, type OnWire, readOpening, type Wire } from "@/e2e/venues/kit/wires/wire";

/** Listens for WebSockets on any path. */
export async function listenForWebSockets(onWire: OnWire): Promise<Listener> {
  // Pings are answered here, because a silent venue does not answer them.
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
  server.on("connection", (socket, request) => {
    // A client that breaks the protocol is no failure of the venue.
    socket.on("error", () => {});
    const events = onWire(readOpening(request.url, request.headers), createWire(socket));
    if (events === null) return socket.close(1008, "no such path");
    socket.on("message", (data) => events.message(String(data)));
    socket.on("ping", (payload) => {
      if (events.answers()) socket.pong(payload);
    });
    // Scenarios expect pongs like messages.
    socket.on("pong", (payload) => events.message(JSON.stringify({ pong: String(payload) })));
    socket.once("close", () => events.ended());
  });
  await new Promise<void>((resolve) => server.once("listening", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of server.clients) socket.terminate();
      await closed;
    },
  };
}

/** More unsent bytes than this, and a write waits for the client. */
const MAX_BUFFERED_BYTES = 262_144;
/** These stand for an end without a close frame, so they are never sent. */
const UNSENT_CODES = [1005, 1006, 1015];

function createWire(socket: WebSocket): Wire {
  return {
    terminator: "",
    async write(messages, cut) {
      for (const message of messages) {
        const pieces = cut(message);
        for (const [at, piece] of pieces.entries()) await writeFragment(socket, piece, at === pieces.length - 1);
      }
    },
    ping: (payload) => socket.ping(payload),
    close(code, reason) {
      if (code !== null && UNSENT_CODES.includes(code)) socket.terminate();
      else socket.close(code ?? 1000, reason);
    },
    reset: () => socket.terminate(),
  };
}

function writeFragment(socket: WebSocket, piece: Buffer, isLast: boolean): Promise<void> | undefined {
  const options = { binary: false, fin: isLast };
  if (socket.bufferedAmount < MAX_BUFFERED_BYTES) return void socket.send(piece, options, () => {});
  return new Promise((resolve) => socket.send(piece, options, () => resolve()));
}
