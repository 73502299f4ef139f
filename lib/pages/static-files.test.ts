import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStaticFiles } from "@/lib/pages/static-files";

const SCRIPT = "console.log('a script')";

describe("compressed files of the pages", () => {
  const folder = mkdtempSync(join(tmpdir(), "spotline-static-"));
  let server: Server;

  beforeAll(async () => {
    mkdirSync(join(folder, "chunks"));
    writeFileSync(join(folder, "chunks", "a.js"), SCRIPT);
    writeFileSync(join(folder, "chunks", "a.js.br"), brotliCompressSync(SCRIPT));
    writeFileSync(join(folder, "chunks", "b.css"), "a {}");
    const serve = createStaticFiles(folder);
    server = createServer((call, response) => {
      if (!serve(call, response)) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  function get(path: string, encoding = "gzip, deflate, br", method = "GET") {
    const { port } = server.address() as AddressInfo;
    const headers = { "accept-encoding": encoding };
    return new Promise<{ status: number | undefined; headers: object; body: Buffer }>((resolve, reject) => {
      request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      })
        .on("error", reject)
        .end();
    });
  }

  test("A script is sent as the build compressed it", async () => {
    const { status, headers, body } = await get("/_next/static/chunks/a.js?dpl=1");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/javascript; charset=UTF-8",
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
    const head = await get("/_next/static/chunks/a.js", "br", "HEAD");
    expect(head).toMatchObject({ status: 200, headers: { "content-length": String(body.length) } });
    expect(head.body).toHaveLength(0);
  });

  test("Next answers what has no compressed copy, and callers who do not take one", async () => {
    for (const encoding of ["gzip", "", "br;q=0", "br; q=0.000", "brotli", "xbr"]) {
      expect((await get("/_next/static/chunks/a.js", encoding)).status, encoding).toBe(404);
    }
    for (const encoding of ["br", "gzip, BR;q=0.5", "br;q=1.0, gzip"]) {
      expect((await get("/_next/static/chunks/a.js", encoding)).status, encoding).toBe(200);
    }
    for (const path of [
      "chunks/b.css",
      "chunks/a.js.br",
      "../chunks/a.js",
      "chunks/%2e%2e/chunks/a.js",
      "",
      "chunks",
    ]) {
      expect((await get(`/_next/static/${path}`)).status, path).toBe(404);
    }
    expect((await get("/_next/static/chunks/a.js", "br", "POST")).status).toBe(404);
  });

  test("A build without compressed files serves none", () => {
    expect(createStaticFiles(join(folder, "missing"))).toBeTypeOf("function");
  });
});
