import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "@/lib/api/engine/answer";
import { writeDirectly } from "@/lib/api/http-head";
import type { RequestHead } from "@/lib/api/node-host";
import { SECOND_MS } from "@/lib/time/units";

/** Answers a simple request; null if node:http must pass it on. */
export type DirectHost = (request: SimpleRequest) => Answer | Promise<Answer> | null;

/** How long a new connection may send nothing before the time limits of node:http apply to it. */
const FIRST_BYTES_MS = SECOND_MS;
/** A request that is sent at the end of the announced time still arrives. */
const LATE_MS = SECOND_MS;

interface Timeouts {
  readonly headersMs: number;
  readonly stalledMs: number;
}

/**
 * Reads the usual requests of programs without node:http, whose objects for each request cost more than the rest of an
 * answer. A connection is given to node:http, and stays there, at the first bytes that are anything but one simple
 * request: a part of one, several, another method, a page, or what is not HTTP. So node:http alone interprets these, and
 * applies its limits.
 */
export class DirectConnections {
  readonly #connections = new Set<DirectConnection>();
  readonly #server: Server;
  /** What node:http does with a new connection. */
  readonly #accept: (this: Server, socket: Socket) => void;
  readonly timeouts: Timeouts;
  host: DirectHost | null = null;
  isStopping = false;

  /** Takes new connections before node:http, which listens for them once. */
  constructor(server: Server, timeouts: Timeouts) {
    const [accept] = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
    if (accept === undefined) throw new Error("This version of Node.js accepts connections in an unknown way.");
    this.#server = server;
    this.#accept = accept;
    this.timeouts = timeouts;
    server.off("connection", accept);
    server.on("connection", (socket: Socket) => this.#open(socket));
  }

  #open(socket: Socket): void {
    if (this.host === null || this.isStopping) return this.accept(socket);
    this.#connections.add(new DirectConnection(socket, this));
  }

  /** Gives a connection to node:http. */
  accept(socket: Socket): void {
    this.#accept.call(this.#server, socket);
  }

  /** How long a connection may be idle after an answer. */
  get idleMs(): number {
    return this.#server.keepAliveTimeout + LATE_MS;
  }

  remove(connection: DirectConnection): void {
    this.#connections.delete(connection);
  }

  /** Closes the connections that wait for no answer, or all. */
  close({ all }: { readonly all: boolean }): void {
    for (const connection of this.#connections) connection.close(all);
  }
}

/** A connection until node:http gets it. */
class DirectConnection {
  readonly #socket: Socket;
  readonly #owner: DirectConnections;
  #fields: Fields | null = null;
  /** Whether an answer is computed or not yet taken by the system. */
  #isBusy = false;
  #hasAnswered = false;
  /** What arrived meanwhile. */
  #waiting: Buffer[] = [];

  constructor(socket: Socket, owner: DirectConnections) {
    this.#socket = socket;
    this.#owner = owner;
    for (const [event, listener] of this.#listListeners()) socket.on(event, listener);
    socket.setTimeout(Math.min(FIRST_BYTES_MS, owner.timeouts.headersMs));
  }

  #listListeners() {
    return [
      ["data", this.#onData],
      ["end", this.#onEnd],
      ["timeout", this.#onTimeout],
      ["error", this.#onError],
      ["close", this.#onClose],
    ] as const;
  }

  close(all: boolean): void {
    if (all || !this.#isBusy) this.#socket.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isBusy) {
      this.#waiting.push(bytes);
      this.#socket.pause();
      return;
    }
    const { host, isStopping } = this.#owner;
    const request = isStopping ? null : parseSimpleRequest(bytes, this.#fields, this.#socket);
    const answer = request === null || host === null ? null : host(request);
    if (request === null || answer === null) return this.#leave(bytes);
    this.#fields = request.fields;
    if (!this.#hasAnswered) {
      this.#hasAnswered = true;
      this.#socket.setTimeout(this.#owner.idleMs);
    }
    if (!(answer instanceof Promise)) return this.#write(answer);
    this.#isBusy = true;
    answer.then((value) => this.#write(value)).catch((error: Error) => this.#socket.destroy(error));
  };

  #write(answer: Answer): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    const isLast = this.#owner.isStopping;
    writeDirectly(socket, answer, { isLast, onWritten: this.#onWritten });
    if (isLast) socket.end();
    // A slow client reads later.
    const isWaiting = socket.writableLength > 0;
    if (isWaiting) socket.setTimeout(this.#owner.timeouts.stalledMs);
    else if (this.#isBusy) this.#finish();
    this.#isBusy = isWaiting;
  }

  readonly #onWritten = (): void => {
    if (!this.#isBusy || this.#socket.writableLength > 0 || this.#socket.destroyed) return;
    this.#socket.setTimeout(this.#owner.idleMs);
    this.#isBusy = false;
    this.#finish();
  };

  /** A client that did not wait for its answer sends a pipeline. */
  #finish(): void {
    if (this.#waiting.length > 0) this.#leave(Buffer.concat(this.#waiting.splice(0)));
    else if (this.#socket.readableEnded) this.#socket.end();
  }

  readonly #onEnd = (): void => {
    if (!this.#isBusy) this.#socket.end();
  };

  readonly #onTimeout = (): void => {
    const isStalled = this.#socket.writableLength > 0;
    if (!isStalled && this.#isBusy) return;
    if (this.#hasAnswered) this.#socket.destroy();
    else this.#leave(null);
  };

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onClose = (): void => this.#owner.remove(this);

  /** Gives the connection to node:http, with the bytes that it must read first. */
  #leave(bytes: Buffer | null): void {
    const socket = this.#socket;
    this.#owner.remove(this);
    for (const [event, listener] of this.#listListeners()) socket.off(event, listener);
    // Bytes that are put back flow again only after a pause.
    socket.pause();
    if (bytes !== null) socket.unshift(bytes);
    this.#owner.accept(socket);
    socket.resume();
  }
}

/** The usual request of a program, complete and alone in what was read of its connection. */
interface SimpleRequest extends RequestHead {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly url: string;
  /** Empty for a GET. */
  readonly body: Buffer;
  readonly fields: Fields;
}

/** The header fields of a request as they were sent, and as node:http lists them. */
interface Fields {
  readonly text: string;
  readonly rawHeaders: readonly string[];
  /** Null without one. */
  readonly contentLength: number | null;
}

const MAX_HEAD_BYTES = 4 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const VERSION = " HTTP/1.1";
/** What needs no interpretation in a path or query. */
const TARGET = /^\/v1\/[\w\-.~%/?&=+,:;@!$'()*]*$/;
const NAME = /^[\w-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** Fields that change how a connection is read or answered. */
const SPECIAL = new Set(["transfer-encoding", "upgrade", "expect", "trailer", "te", "proxy-connection", "keep-alive"]);

/**
 * Parses a request to /v1 if it is simple: a GET without a body, or a POST with its whole body, under HTTP/1.1, with
 * fields whose meaning is the same to every reader, on a connection that stays open. Returns null for anything else,
 * including what is not HTTP: node:http reads it then.
 *
 * @param previous the fields of the connection's request before, since programs repeat them
 */
export function parseSimpleRequest(
  bytes: Buffer,
  previous: Fields | null,
  socket: RequestHead["socket"],
): SimpleRequest | null {
  const headLength = bytes.indexOf(HEAD_END) + 2;
  if (headLength === 1 || headLength > MAX_HEAD_BYTES) return null;
  const head = bytes.toString("latin1", 0, headLength);
  const method = head.startsWith("GET ") ? "GET" : head.startsWith("POST ") ? "POST" : null;
  const lineLength = head.indexOf("\r\n");
  const targetEnd = lineLength - VERSION.length;
  if (method === null || !head.startsWith(VERSION, targetEnd)) return null;
  const url = head.slice(method.length + 1, targetEnd);
  if (!TARGET.test(url)) return null;
  const text = head.slice(lineLength + 2);
  const fields = previous?.text === text ? previous : parseFields(text);
  if (fields === null) return null;
  const body = bytes.subarray(headLength + 2);
  if (body.length !== (fields.contentLength ?? 0) || (method === "POST") !== (fields.contentLength !== null))
    return null;
  return { method, url, rawHeaders: fields.rawHeaders, body, socket, fields };
}

function parseFields(text: string): Fields | null {
  const rawHeaders: string[] = [];
  let contentLength: number | null = null;
  let hosts = 0;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\r\n", start);
    const colon = text.indexOf(":", start);
    if (colon === -1 || colon > end) return null;
    const name = text.slice(start, colon);
    const value = text.slice(colon + 1, end).trim();
    if (!NAME.test(name) || !VALUE.test(value)) return null;
    start = end + 2;
    const lowerName = name.toLowerCase();
    if (SPECIAL.has(lowerName)) return null;
    if (lowerName === "connection" && value.toLowerCase() !== "keep-alive") return null;
    if (lowerName === "host") hosts++;
    if (lowerName === "content-length") {
      if (contentLength !== null || !/^\d{1,7}$/.test(value)) return null;
      contentLength = Number(value);
    }
    rawHeaders.push(name, value);
  }
  return hosts === 1 ? { text, rawHeaders, contentLength } : null;
}
