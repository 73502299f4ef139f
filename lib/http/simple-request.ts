import type { RequestHead } from "@/lib/api/node-host";

/** The usual request of a program, complete and alone in what was read of its connection. */
export interface SimpleRequest extends RequestHead {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly url: string;
  /** Empty for a GET. */
  readonly body: Buffer;
  readonly fields: Fields;
}

/** The header fields of a request as they were sent, and as node:http lists them. */
export interface Fields {
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
