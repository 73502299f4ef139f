import { connect as connectPlain } from "node:net";
import { connect as connectTls } from "node:tls";
import type { OpenWire, TlsTrust } from "@/lib/feeds/live/connector";
import { SECOND_MS } from "@/lib/time/units";

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** A venue that accepts connections but reads nothing must not fill the memory. */
const MAX_UNSENT_BYTES = 1_024 * 1_024;

interface Options extends TlsTrust {
  readonly host: string;
  readonly port: number;
  /** Without TLS only for venues behind a tunnel of the operator's own. */
  readonly tls: boolean;
}

/** Returns a wire over TCP, with or without TLS. Bytes arrive as buffers. */
export function openStreamWire({ host, port, tls, ca }: Options): OpenWire {
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
