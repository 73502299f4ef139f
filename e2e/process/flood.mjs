import { connect } from "node:net";

/**
 * Floods a server with pipelined requests of unknown callers until it is killed, as in `node flood.mjs <port> <key>...`. The
 * keys are well-formed but unknown. Each connection sends a block of requests, and the next block once the whole block
 * is answered, so the load is bounded.
 */

const [port = 0, ...keys] = process.argv.slice(2);
/** Connections of each kind. */
const COPIES = 3;
/** Requests of a block: more than one read of the server's socket holds. */
const DEPTH = 1_500;
/** How long a client that does not read, or does not finish, keeps its connection. */
const HOLD_MS = 1_000;

const format = (line, headers = "", body = "") => `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`;
const QUOTE = "GET /v1/quote?symbol=EURUSD";
const BODY_LENGTH = 8_000;
const POSTED = `Content-Type: application/json\r\nContent-Length: ${BODY_LENGTH}\r\n`;

const repeat = (requests) => Array.from({ length: DEPTH }, (_, at) => requests[at % requests.length]).join("");

const PUBLIC_PATHS = ["/health", "/ready", "/v1/openapi.json"];

/** The requests of a block, by kind of flood. */
const BLOCKS = {
  keyless: format(QUOTE).repeat(DEPTH),
  unknownKeys: repeat(keys.map((key) => format(QUOTE, `X-API-Key: ${key}\r\n`))),
  malformedKeys: repeat(keys.map((key) => format(QUOTE, `X-API-Key: ${key}x\r\n`))),
  oddPaths: repeat(
    ["/v1//quote", "/v1/%zz", "/v1/symbols/%00", "/v1/quote?%ff=%"].map((path) => format(`GET ${path}`)),
  ),
  publicPaths: repeat(PUBLIC_PATHS.map((path) => format(`GET ${path}`))),
  bodies: format("POST /v1/quotes", POSTED, " ".repeat(BODY_LENGTH)).repeat(DEPTH / 10),
};

const countTimes = (text, part) => text.split(part).length - 1;

function open(onConnect) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => onConnect(socket));
  return socket.on("error", () => socket.destroy());
}

/** Sends blocks, and reads all answers. */
function flood(block) {
  const size = countTimes(block, " HTTP/1.1\r\n");
  let due = 0;
  const send = () => {
    due += size;
    socket.write(block, "latin1");
  };
  const socket = open(send);
  socket.on("data", (chunk) => {
    due -= countTimes(chunk.toString("latin1"), "HTTP/1.1 ");
    if (due > 0) return;
    process.stdout.write(".");
    send();
  });
  socket.on("end", () => socket.destroy());
  socket.on("close", () => setTimeout(() => flood(block), 50));
}

/** Sends a block, reads nothing, and begins again later. */
function stall() {
  const socket = open(() => socket.pause().write(BLOCKS.keyless, "latin1"));
  setTimeout(() => socket.destroy(), HOLD_MS);
  socket.on("close", () => setTimeout(stall, 50));
}

/** Ends its side after a block and the start of a request, and never closes the connection itself. */
function halfOpen() {
  const socket = open(() => socket.end(`${BLOCKS.keyless}GET /v1/quote HTTP/1.1\r\nX-A: `, "latin1"));
  socket.resume();
  setTimeout(() => socket.destroy(), HOLD_MS);
  socket.on("close", () => setTimeout(halfOpen, 50));
}

for (let copy = 0; copy < COPIES; copy++) {
  for (const block of Object.values(BLOCKS)) flood(block);
  stall();
  halfOpen();
}
