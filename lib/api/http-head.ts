import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "@/lib/api/engine/answer";
import { memoizeBySecond } from "@/lib/api/engine/etag";
import { systemClock } from "@/lib/platform/timing/clock";

/** How long an idle connection stays open; each answer announces it. */
export const KEEP_ALIVE_SECONDS = 65;

/** The undocumented field of a response in which node:http stores its head. */
type ResponseWithHead = ServerResponse & { _header: string | null };

/** The major versions of Node whose `_header` is known to work this way; http-head.test.ts checks the running one. */
const KNOWN_MAJORS = new Set([20, 22, 24]);
const isKnownNode = KNOWN_MAJORS.has(Number(process.versions.node.split(".")[0]));

/**
 * Writes the whole head of an answer with a body as text. Returns false if node:http must write it. This is faster
 * because node:http validates and joins each header of each answer, which takes two thirds of the time of the whole
 * pipeline. Refusals too must be cheap, because anyone can ask for them.
 */
export function writeHead(response: ServerResponse, status: number, headers: string, contentLength: number): boolean {
  const withHead = response as ResponseWithHead;
  if (!isKnownNode || !withHead.shouldKeepAlive || withHead._header !== null) return false;
  withHead.statusCode = status;
  withHead._header = formatHead(status, headers, contentLength) + formatLastLines(systemClock());
  return true;
}

interface DirectOptions {
  /** Whether the connection is closed after this answer. */
  readonly isLast: boolean;
  /** Called when the system has taken all of it. */
  readonly onWritten: () => void;
}

/** Writes an answer to a connection that node:http does not know, with the bytes that it would write. */
export function writeDirectly(
  socket: Socket,
  { status, headers, body, isAscii }: Answer,
  { isLast, onWritten }: DirectOptions,
): void {
  const length = isAscii || typeof body !== "string" ? body.length : Buffer.byteLength(body);
  const withBody = hasBody(status);
  const lastLines = isLast ? formatClosingLines(systemClock()) : formatLastLines(systemClock());
  const head = formatHead(status, headers, withBody ? length : null) + lastLines;
  if (!withBody || length === 0) socket.write(head, "latin1", onWritten);
  else if (typeof body === "string") socket.write(head + body, isAscii ? "latin1" : "utf8", onWritten);
  else {
    socket.cork();
    socket.write(head, "latin1");
    socket.write(body, onWritten);
    socket.uncork();
  }
}

/** Whether an answer with this status has a body, which may be empty. */
export const hasBody = (status: number): boolean => status !== 304 && status !== 204;

function formatHead(status: number, headers: string, contentLength: number | null): string {
  const lengthLine = contentLength === null ? "" : `Content-Length: ${contentLength}\r\n`;
  return `${status === 200 ? OK : formatStatusLine(status)}${headers}${lengthLine}`;
}

const OK = formatStatusLine(200);

function formatStatusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
}

const formatDateLine = (secondMs: number) => `Date: ${new Date(secondMs).toUTCString()}\r\n`;
const formatLastLines = memoizeBySecond(
  (secondMs) =>
    `${formatDateLine(secondMs)}Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n`,
);
const formatClosingLines = memoizeBySecond((secondMs) => `${formatDateLine(secondMs)}Connection: close\r\n\r\n`);
