import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { writeHead } from "@/lib/api/http-head";

/** Sends one request to a new server. Resolves with the response and the result of writeHead. */
async function fetchOnce(headers: Record<string, string>, status = 200) {
  let wrote: boolean | undefined;
  const server = createServer((_, response) => {
    wrote = writeHead(response, status, "X-Request-Id: 1\r\n", 2);
    response.end("ok", "latin1");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise<object>((resolve, reject) => {
      request({ port, host: "127.0.0.1", headers }, (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += chunk.toString()));
        response.on("end", () => {
          const names = response.rawHeaders.filter((_, index) => index % 2 === 0);
          const { statusCode, statusMessage } = response;
          const line = `${statusCode} ${statusMessage}`;
          resolve({ wrote, line, names, length: response.headers["content-length"], body });
        });
      })
        .on("error", reject)
        .end();
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  [200, "OK"],
  [401, "Unauthorized"],
  [422, "Unprocessable Entity"],
  [503, "Service Unavailable"],
])("The running version of Node sends a head with %i as text once and unchanged", async (status, reason) => {
  const response = await fetchOnce({ Connection: "keep-alive" }, status);
  expect(response).toEqual({
    wrote: true,
    line: `${status} ${reason}`,
    names: ["X-Request-Id", "Content-Length", "Date", "Connection", "Keep-Alive"],
    length: "2",
    body: "ok",
  });
});

test("node:http writes the head of a response after which the connection is closed", async () => {
  expect(await fetchOnce({ Connection: "close" })).toMatchObject({ wrote: false, body: "ok" });
});
