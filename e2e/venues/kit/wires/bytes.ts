import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createFrameReader } from "@/e2e/venues/kit/frame-reader";
import { TEST_CERTIFICATE, TEST_KEY } from "@/e2e/venues/kit/test-certificate";
import { type Listener, type OnWire, type Wire, writePieces } from "@/e2e/venues/kit/wires/wire";

/** Listens for plain TCP, or for TLS with the test certificate. */
export async function listenForBytes(transport: "tcp" | "tls", onWire: OnWire): Promise<Listener> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    acceptSocket(socket, onWire);
  };
  const server =
    transport === "tcp" ? createServer(accept) : createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, accept);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `${transport}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function acceptSocket(socket: Socket, onWire: OnWire): void {
  socket.setNoDelay(true);
  // A client that resets the connection is no failure of the venue.
  socket.on("error", () => {});
  const events = onWire({}, createWire(socket));
  if (events === null) return void socket.destroy();
  const reader = createFrameReader((text) => events.message(text));
  socket.on("data", (bytes) => reader.push(bytes));
  socket.once("close", () => events.ended());
}

function createWire(socket: Socket): Wire {
  return {
    terminator: "",
    write: (messages, cut) => writePieces(socket, cut(Buffer.concat(messages))),
    close: () => void socket.end(),
    // A reset of TCP would also take back what the client has not read yet.
    reset: () => void socket.destroy(),
  };
}
