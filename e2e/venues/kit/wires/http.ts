import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { readMessage } from "@/e2e/venues/kit/messages";
import { type Listener, type OnWire, readOpening, type Wire, writePieces } from "@/e2e/venues/kit/wires/wire";

/** Listens for HTTP. Each request is a connection, and its opening is also its first message. */
export async function listenForHttp(onWire: OnWire): Promise<Listener> {
  const server = createServer((request, response) => void accept(request, response, onWire));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function accept(request: IncomingMessage, response: ServerResponse, onWire: OnWire): Promise<void> {
  const body = await readBody(request);
  const opening = { method: request.method, ...readOpening(request.url, request.headers), body };
  const events = onWire(opening, createWire(response));
  if (events === null) return void response.writeHead(404).end();
  response.once("close", () => events.ended());
  events.message(JSON.stringify(opening));
}

/** The body as JSON, or as text if it is not JSON; undefined without one. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  // A client that leaves halfway has sent no body.
  const message = readMessage(await readText(request).catch(() => ""));
  return message.kind === "json" && message.value !== "" ? message.value : undefined;
}

/** How OANDA's stream answers: no JSON content type, and no connection that is kept. */
const STREAM_HEADERS = { "content-type": "application/octet-stream", connection: "close" };

function createWire(response: ServerResponse): Wire {
  function answer(status: number, headers: Readonly<Record<string, string>>) {
    response.writeHead(status, { ...STREAM_HEADERS, ...headers });
    response.flushHeaders();
  }
  const answerFirst = () => {
    if (!response.headersSent) answer(200, {});
  };
  return {
    terminator: "\n",
    write(messages, cut) {
      answerFirst();
      return writePieces(response, cut(Buffer.concat(messages)));
    },
    answer,
    close() {
      answerFirst();
      response.end();
    },
    reset: () => void response.destroy(),
  };
}
