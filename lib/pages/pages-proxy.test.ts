import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPagesProxy } from "@/lib/pages/pages-proxy";
import { getLocalSocketPath } from "@/lib/platform/local-socket";
import { silentLog } from "@/lib/platform/log/log";

const MEGABYTE = 1024 * 1024;

let folder: string;
let pages: Server;
let server: Server;
/** The length of each body that the pages received whole. */
const received: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spotline-proxy-"));
  const socketPath = getLocalSocketPath(folder, "http");
  pages = createServer((incoming, response) => {
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => (bytes += chunk.length));
    incoming.on("end", () => {
      received.push(bytes);
      response.end("page");
    });
  }).listen(socketPath);
  await once(pages, "listening");
  const options = { trustedProxies: { count: 0, addresses: null }, log: silentLog };
  const proxy = createPagesProxy({ socketPath, listening: async () => {} }, options);
  server = createServer((incoming, response) => proxy.request(incoming, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  pages.closeAllConnections();
  server.close();
  pages.close();
  await rm(folder, { recursive: true, force: true });
});

/** Posts a body and resolves with the status of the answer. */
function post(bytes: number, headers: Record<string, string | number>): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const posting = request({ port, host: "127.0.0.1", method: "POST", path: "/sign-in", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    posting.on("error", reject);
    posting.end(Buffer.alloc(bytes));
  });
}

test("A form of a megabyte is forwarded to the pages", async () => {
  received.length = 0;
  expect(await post(MEGABYTE, { "content-length": MEGABYTE })).toBe(200);
  expect(await post(MEGABYTE, { "transfer-encoding": "chunked" })).toBe(200);
  expect(received).toEqual([MEGABYTE, MEGABYTE]);
});

test("A larger body is refused, and the pages never receive it whole", async () => {
  received.length = 0;
  expect(await post(MEGABYTE + 1, { "content-length": MEGABYTE + 1 })).toBe(413);
  expect(await post(MEGABYTE + 1, { "transfer-encoding": "chunked" })).toBe(413);
  expect(received).toEqual([]);
});
