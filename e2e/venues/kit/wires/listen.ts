import type { Transport } from "@/e2e/venues/kit/scenario";
import { listenForBytes } from "@/e2e/venues/kit/wires/bytes";
import { listenForHttp } from "@/e2e/venues/kit/wires/http";
import { listenForWebSockets } from "@/e2e/venues/kit/wires/websocket";
import type { Listener, OnWire } from "@/e2e/venues/kit/wires/wire";

/** Listens on a free port of 127.0.0.1 and calls `onWire` for each connection. */
export function listen(transport: Transport, onWire: OnWire): Promise<Listener> {
  switch (transport) {
    case "websocket":
      return listenForWebSockets(onWire);
    case "http":
      return listenForHttp(onWire);
    case "tcp":
    case "tls":
      return listenForBytes(transport, onWire);
  }
}
