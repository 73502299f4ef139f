import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseSimpleRequest } from "@/lib/http/direct-connections";

const SOCKET = { remoteAddress: "127.0.0.1" };
const parse = (text: string) => parseSimpleRequest(Buffer.from(text, "latin1"), null, SOCKET);

const QUOTE = "GET /v1/quote?symbol=EUR%2FUSD HTTP/1.1\r\n";
const HOST = "Host: a\r\n";

test("A simple request has the target and the fields that were sent", () => {
  expect(parse(`${QUOTE}${HOST}X-API-Key:  key \r\nx-empty:\r\nConnection: Keep-Alive\r\n\r\n`)).toMatchObject({
    method: "GET",
    url: "/v1/quote?symbol=EUR%2FUSD",
    rawHeaders: ["Host", "a", "X-API-Key", "key", "x-empty", "", "Connection", "Keep-Alive"],
    body: Buffer.alloc(0),
  });
  const posted = parse(`POST /v1/quotes HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\n{\n\r\n}`);
  expect(posted?.body.toString()).toBe("{\n\r\n}");
});

test("Fields that a connection repeats are parsed once", () => {
  const first = parse(`${QUOTE}${HOST}\r\n`);
  const bytes = Buffer.from(`GET /v1/symbols HTTP/1.1\r\n${HOST}\r\n`);
  expect(parseSimpleRequest(bytes, first?.fields ?? null, SOCKET)?.fields).toBe(first?.fields);
  const other = Buffer.from(`${QUOTE}Host: b\r\n\r\n`);
  expect(parseSimpleRequest(other, first?.fields ?? null, SOCKET)?.rawHeaders).toEqual(["Host", "b"]);
});

test.each([
  ["a part of a head", `${QUOTE}${HOST}`],
  ["two requests", `${QUOTE}${HOST}\r\n${QUOTE}${HOST}\r\n`],
  ["bytes behind a request", `${QUOTE}${HOST}\r\n\0`],
  ["an empty line before a request", `\r\n${QUOTE}${HOST}\r\n`],
  ["another method", `HEAD /v1/quote HTTP/1.1\r\n${HOST}\r\n`],
  ["a method in lower case", `get /v1/quote HTTP/1.1\r\n${HOST}\r\n`],
  ["a page", `GET /keys HTTP/1.1\r\n${HOST}\r\n`],
  ["a path that leaves /v1", `GET /x/../v1/quote HTTP/1.1\r\n${HOST}\r\n`],
  ["a whole URL", `GET http://a/v1/quote HTTP/1.1\r\n${HOST}\r\n`],
  ["a fragment", `GET /v1/quote#x HTTP/1.1\r\n${HOST}\r\n`],
  ["a backslash", `GET /v1/\\quote HTTP/1.1\r\n${HOST}\r\n`],
  ["a space in the target", `GET /v1/quote x HTTP/1.1\r\n${HOST}\r\n`],
  ["HTTP/1.0", `GET /v1/quote HTTP/1.0\r\n${HOST}\r\n`],
  ["HTTP/0.9", "GET /v1/quote\r\n\r\n"],
  ["no host", `${QUOTE}X-A: a\r\n\r\n`],
  ["two hosts", `${QUOTE}${HOST}host: b\r\n\r\n`],
  ["a folded field", `${QUOTE}${HOST}X-A: a\r\n b\r\n\r\n`],
  ["a space before a colon", `${QUOTE}${HOST}X-A : a\r\n\r\n`],
  ["a field without a name", `${QUOTE}${HOST}: a\r\n\r\n`],
  ["a bare line feed", `${QUOTE}${HOST}X-A: a\nX-B: b\r\n\r\n`],
  ["a byte above ASCII", `${QUOTE}${HOST}X-A: \xe9\r\n\r\n`],
  ["a control byte", `${QUOTE}${HOST}X-A: \x01\r\n\r\n`],
  ["a chunked body", `POST /v1/quotes HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["two lengths", `POST /v1/quotes HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
  ["a length with a sign", `POST /v1/quotes HTTP/1.1\r\n${HOST}Content-Length: +1\r\n\r\na`],
  ["a body that is too short", `POST /v1/quotes HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\na`],
  ["a body that is too long", `POST /v1/quotes HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\nab`],
  ["a POST without a length", `POST /v1/quotes HTTP/1.1\r\n${HOST}\r\n`],
  ["a GET with a length", `${QUOTE}${HOST}Content-Length: 0\r\n\r\n`],
  ["an upgrade", `${QUOTE}${HOST}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`],
  ["the wish to close", `${QUOTE}${HOST}Connection: close\r\n\r\n`],
  ["an expectation", `POST /v1/quotes HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 1\r\n\r\na`],
  ["a head of more than four kilobytes", `${QUOTE}${HOST}X-A: ${"a".repeat(4_096)}\r\n\r\n`],
  ["bytes that are not HTTP", "\x16\x03\x01\x02"],
  ["nothing", ""],
])("A request with %s is left to node:http", (_, text) => {
  expect(parse(text)).toBeNull();
});

test("The time for a head grows with its length only", () => {
  const values = [" ".repeat(4_000), "a ".repeat(2_000), "a\t ".repeat(1_300)];
  const startedAtMs = performance.now();
  for (let round = 0; round < 50; round++)
    for (const value of values) parse(`${QUOTE}${HOST}X-A: ${value}\x01\r\n\r\n`);
  expect(performance.now() - startedAtMs).toBeLessThan(500);
});

/** What node:http reads from a request; null if it refuses it. */
interface Read {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

let onRead: (read: Read | null) => void = () => {};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, rawHeaders } = request;
    onRead({ method, url, rawHeaders, body: Buffer.concat(chunks).toString("latin1") });
    response.end();
  });
});
server.on("clientError", (_, socket) => {
  onRead(null);
  socket.destroy();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

function readWithNode(text: string): Promise<Read | null> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.end(text, "latin1");
  return new Promise((resolve) => (onRead = resolve));
}

test("node:http reads what a simple request has in the same way", async () => {
  const name = fc.stringMatching(/^[\w-]{1,12}$/);
  const value = fc.stringMatching(/^[ \t]{0,2}([!-~]([ -~\t]{0,10}[!-~])?)?[ \t]{0,2}$/);
  const fields = fc.array(fc.tuple(name, value), { maxLength: 5 });
  const target = fc.stringMatching(/^\/v1\/[\w\-.~%/?&=+,:;@!$'()*]{0,30}$/);
  const body = fc.option(fc.string({ maxLength: 20 }), { nil: null });
  let simple = 0;
  await fc.assert(
    fc.asyncProperty(target, fields, body, async (url, list, content) => {
      const length = content === null ? "" : `Content-Length: ${Buffer.byteLength(content, "latin1")}\r\n`;
      const lines = list.map(([key, text]) => `${key}:${text}\r\n`).join("");
      const text = `${content === null ? "GET" : "POST"} ${url} HTTP/1.1\r\n${HOST}${length}${lines}\r\n${content ?? ""}`;
      const parsed = parse(text);
      if (parsed === null) return;
      simple++;
      const { method, rawHeaders, body: bytes } = parsed;
      expect(await readWithNode(text)).toEqual({ method, url: parsed.url, rawHeaders, body: bytes.toString("latin1") });
    }),
    { numRuns: 300 },
  );
  expect(simple).toBeGreaterThan(100);
});
