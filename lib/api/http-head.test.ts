import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { writeHead } from "@/lib/api/http-head";

/** Sends one request to a server of its own, and resolves with the answer and with what writeHead returned. */
async function ask(headers: Record<string, string>) {
  let wrote: boolean | undefined;
  const server = createServer((_, response) => {
    wrote = writeHead(response, "X-Request-Id: 1\r\n", 2);
    response.end("ok", "latin1");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise<{ wrote: boolean | undefined; names: string[]; length: string | undefined; body: string }>(
      (resolve, reject) => {
        request({ port, host: "127.0.0.1", headers }, (answer) => {
          let body = "";
          answer.on("data", (chunk: Buffer) => (body += chunk.toString()));
          answer.on("end", () => {
            const names = answer.rawHeaders.filter((_, index) => index % 2 === 0);
            resolve({ wrote, names, length: answer.headers["content-length"], body });
          });
        })
          .on("error", reject)
          .end();
      },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("The running Node sends a head that was written as text, once and as it is", async () => {
  const answer = await ask({ Connection: "keep-alive" });
  expect(answer).toEqual({
    wrote: true,
    names: ["X-Request-Id", "Content-Length", "Date", "Connection", "Keep-Alive"],
    length: "2",
    body: "ok",
  });
});

test("A connection that will be closed gets its head from node:http", async () => {
  expect(await ask({ Connection: "close" })).toMatchObject({ wrote: false, body: "ok" });
});
