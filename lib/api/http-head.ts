import { type ServerResponse, STATUS_CODES } from "node:http";
import { memoizeBySecond } from "@/lib/api/engine/memo";
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
  withHead._header =
    `${status === 200 ? OK : formatStatusLine(status)}${headers}Content-Length: ${contentLength}\r\n` +
    formatLastLines(systemClock());
  return true;
}

const OK = formatStatusLine(200);

function formatStatusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
}

const formatLastLines = memoizeBySecond(
  (secondMs) =>
    `Date: ${new Date(secondMs).toUTCString()}\r\n` +
    `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n`,
);
