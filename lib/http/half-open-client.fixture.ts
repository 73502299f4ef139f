import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { DirectHost } from "@/lib/http/direct-connections";
import { createHttpServer, type HttpServer } from "@/lib/http/http-server";
import { silentLog } from "@/lib/platform/log/log";

/** Servers of tests, and clients that never close their side. */

export const HOST = "127.0.0.1";
export const SHORT = { headersMs: 100, requestMs: 200, stalledMs: 300 };
export const answerOk: RequestListener = (_, response) => void response.end("ok");

const servers: HttpServer[] = [];
const sockets: Socket[] = [];
/** Closes the servers and clients of a test. */
export function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { server } of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

interface Settings {
  readonly port?: number;
  readonly proxyCount?: number;
  readonly total?: number;
  readonly perAddress?: number;
  /** By default those of the product. */
  readonly timeouts?: typeof SHORT;
  /** Answers simple requests without node:http. */
  readonly direct?: DirectHost;
}

/** A listening server. Without a listener it answers as while it starts. */
export async function listen(listener?: RequestListener, settings: Settings = {}): Promise<HttpServer> {
  const { port = 0, proxyCount = 0, total = 100, perAddress = 100, timeouts, direct } = settings;
  const trustedProxies = { count: proxyCount, addresses: null };
  const config = { port, host: HOST, trustedProxies, connections: { total, perAddress } };
  const http = createHttpServer({ config, log: silentLog, timeouts });
  await http.listen();
  servers.push(http);
  if (listener !== undefined) http.serve(listener, direct);
  return http;
}

export interface Client {
  readonly socket: Socket;
  /** Sends text, and resolves when the server has read it. */
  send(text: string): Promise<void>;
  received(): string;
  /** Resolves with everything received when that contains a text, or the given number of answers. */
  until(expected: string | number): Promise<string>;
  /** Resolves with everything received when the server has closed its side. */
  readonly ended: Promise<string>;
  /** Resolves when the server has let go of the connection, although the client never closes its side. */
  readonly released: Promise<void>;
}

/** A client that never closes its side. It does not read if `reads` is false. */
export async function connectTo(http: HttpServer, first = "", reads = true): Promise<Client> {
  const accepted = new Promise<Socket>((resolve) => http.server.once("connection", resolve));
  const released = accepted.then((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
  const socket = connect({ port: http.port(), host: HOST, allowHalfOpen: true });
  sockets.push(socket);
  let received = "";
  const watchers = new Set<() => void>();
  if (reads) {
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      for (const watch of watchers) watch();
    });
  }
  socket.on("error", () => {});
  const ended = new Promise<string>((resolve) => {
    for (const event of ["end", "close"]) socket.once(event, () => resolve(received));
  });
  const until = (expected: string | number) =>
    new Promise<string>((resolve) => {
      const watch = () => {
        const enough =
          typeof expected === "string" ? received.includes(expected) : received.split("HTTP/1.1 ").length > expected;
        if (!enough) return;
        watchers.delete(watch);
        resolve(received);
      };
      watchers.add(watch);
      watch();
    });
  await new Promise((resolve) => socket.once("connect", resolve));
  if (first !== "") socket.write(first);
  const send = async (text: string) => {
    const { bytesRead } = await accepted;
    socket.write(text, "latin1");
    while ((await accepted).bytesRead < bytesRead + text.length) await setImmediate();
  };
  return { socket, send, received: () => received, until, ended, released };
}

export const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
export const POSTED = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
