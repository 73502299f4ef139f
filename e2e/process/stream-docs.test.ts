import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readQuotes, startStreamServer, type StreamServer } from "@/e2e/process/stream-callers";
import type { Quote } from "@/e2e/support/event-client";

let spotline: StreamServer;
beforeAll(async () => {
  spotline = await startStreamServer();
});
afterAll(() => spotline.stop());

describe("The documentation of streams", () => {
  const documentation = readFileSync("docs/streaming.md", "utf8");
  const findCode = (language: string) => documentation.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";

  test("has a command that prints quotes", async () => {
    const { key } = await spotline.createCaller("free");
    const command = findCode("sh").replace("http://localhost:3000", spotline.url).replace("curl", "curl -s -m 3");
    const options = { env: { ...process.env, SPOTLINE_KEY: key } };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], options).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toMatch(/^event: snapshot\ndata: \{"quotes":\[\{"symbol":"EURUSD"/m);
  });

  test("has a program that follows quotes until its key ends", async () => {
    const { id, key } = await spotline.createCaller();
    const { code } = await transform(findCode("ts"), { loader: "ts", format: "esm" });
    const { follow } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      follow(url: string, key: string, quotes: Map<string, Quote>): Promise<string>;
    };
    const held = new Map<string, Quote>();
    const ended = follow(`${spotline.url}/v1/stream?symbols=EURUSD,GBPUSD,USDJPY`, key, held);
    await vi.waitFor(
      async () => expect(held).toEqual(await readQuotes(spotline, key, ["EURUSD", "GBPUSD", "USDJPY"])),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
    await spotline.revoke(id);
    expect(await ended).toBe("The API key has been revoked.");
  });
});
