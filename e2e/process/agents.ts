import { spawnSync } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import {
  connectOverHttp,
  connectOverPipes,
  INITIALIZE,
  sendMessage,
  type ToolAnswer,
} from "@/e2e/process/agent-client";
import type { SharedServer } from "@/e2e/process/shared-server";

/** Tests of agents against a server that runs. */
export function testAgents(server: () => SharedServer): void {
  describe("Agents over HTTP", () => {
    test("use every tool with the data of the API, which says that it is simulated", async () => {
      const { key } = await server().createCaller("enterprise");
      const { agent, run } = await connectOverHttp(server().url, { Authorization: `Bearer ${key}` });
      const { tools } = await agent.listTools();
      const given: Record<string, unknown> = { symbol: "EURUSD", symbols: ["EURUSD"], indicator: "RSI_14" };
      for (const { name, inputSchema } of tools) {
        // A news window is that of a symbol or of currencies.
        const required = name === "get_news_window" ? ["symbol"] : (inputSchema.required ?? []);
        const needed = Object.fromEntries(required.map((each) => [each, given[each]]));
        const { isError, content, structuredContent } = await run(name, needed);
        // Only some pairs have a past here, and strength needs all.
        if (name === "get_currency_strength" && isError) expect(content[0]?.text).toMatch(/^DATA_NOT_FOUND/);
        else expect([name, isError, typeof structuredContent.data]).toEqual([name, undefined, "object"]);
      }
      const { structuredContent, content } = await run("get_quote", { symbol: "EUR/USD" });
      expect(structuredContent).toMatchObject({
        data: { symbol: "EURUSD" },
        data_mode: "simulated",
        quote_state: expect.any(String) as string,
      });
      expect(content[0]?.text).toMatch(/NOTE: this data is simulated/);
      expect(await run("get_quote", { symbol: "EURUSDD" })).toMatchObject({
        isError: true,
        structuredContent: {
          error: { code: "SYMBOL_NOT_FOUND", suggestions: expect.arrayContaining(["EURUSD"]) as string[] },
        },
      });
      await expect(run("no_such_tool")).rejects.toThrow(/no tool/);
      await agent.close();
    });

    test("are admitted like any call: by scope, symbol, plan and minute, and each call of a tool counts once", async () => {
      const limited = await server().createCaller("free", { scopes: ["quotes"], symbols: ["EURUSD"], perMinute: 6 });
      // Two messages of its six begin the connection.
      const { run } = await connectOverHttp(server().url, { "X-API-Key": limited.key });
      const readCode = async (name: string, given: Record<string, unknown> = {}) =>
        ((await run(name, given)).structuredContent.error as { code: string } | undefined)?.code;
      const account = (await run("get_account")).structuredContent.data as { daily_used: number };
      expect(await readCode("get_bars", { symbol: "EURUSD" })).toBe("PERMISSION_DENIED");
      expect(await readCode("get_quote", { symbol: "GBPUSD" })).toBe("PERMISSION_DENIED");
      expect(await readCode("get_quote", { symbol: "EURUSD" })).toBeUndefined();
      expect(await readCode("get_quote", { symbol: "EURUSD" })).toBe("RATE_LIMIT_EXCEEDED");
      const used = await server().createCaller("free");
      const other = await connectOverHttp(server().url, { "X-API-Key": used.key });
      expect(await (await other.run("get_calendar")).structuredContent.error).toMatchObject({
        code: "PLAN_UPGRADE_REQUIRED",
      });
      await other.run("get_sessions");
      const after = (await other.run("get_account")).structuredContent.data as { daily_used: number };
      // The call that reads the number counts, too; refused ones do not.
      expect([account.daily_used, after.daily_used]).toEqual([1, 2]);
    });

    test("need no handshake, which newer revisions of the protocol have left out, and may write a slash after the path", async () => {
      const { key } = await server().createCaller("pro");
      const send = async (method: string, params: object, name?: string) => {
        const metadata = {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        };
        const response = await fetch(`${server().url}/mcp/`, {
          method: "POST",
          headers: {
            "X-API-Key": key,
            "Content-Type": "application/json",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            ...(name !== undefined && { "Mcp-Name": name }),
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: metadata } }),
        });
        return [response.status, await response.json()];
      };
      expect(await send("server/discover", {})).toMatchObject([
        200,
        { result: { supportedVersions: expect.arrayContaining(["2026-07-28", "2025-11-25"]) as string[] } },
      ]);
      const call = { name: "get_quote", arguments: { symbol: "EURUSD" } };
      expect(await send("tools/call", call, "get_quote")).toMatchObject([
        200,
        { result: { resultType: "complete", structuredContent: { data: { symbol: "EURUSD" } } } },
      ]);
      expect(await send("tools/call", call, "get_bars")).toMatchObject([400, { error: { code: -32020 } }]);
      expect(await send("resources/list", {})).toMatchObject([404, { error: { code: -32601 } }]);
    });

    test("count a list of tools like a call", async () => {
      const { key } = await server().createCaller("free", { perMinute: 2 });
      const list = async () => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
        const { status, headers } = await sendMessage(server().url, { "X-API-Key": key }, body);
        return [status, headers.get("x-ratelimit-remaining"), headers.has("retry-after")];
      };
      expect(await list()).toEqual([200, "1", false]);
      expect(await list()).toEqual([200, "0", false]);
      expect(await list()).toEqual([429, "0", true]);
    });

    test("count every other message in the minute of the key, also one that names no tool", async () => {
      const { key } = await server().createCaller("free", { perMinute: 3 });
      const send = async (message: object | string) => {
        const body = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
        return (await sendMessage(server().url, { "X-API-Key": key }, body)).status;
      };
      expect(await send({ method: "ping" })).toBe(200);
      expect(await send({ method: "tools/call", params: { name: "no_such_tool" } })).toBe(200);
      expect(await send("{")).toBe(400);
      for (const last of [{ method: "ping" }, { method: "tools/call", params: { name: "no_such_tool" } }, "{"])
        expect(await send(last)).toBe(429);
    });

    test("are refused without a valid key, from other sites, and with anything but one small message", async () => {
      const { id, key } = await server().createCaller();
      const blocked = await server().createCaller("pro", { addresses: ["203.0.113.0/24"] });
      const refusals: [Response, number, string][] = [
        [await sendMessage(server().url, {}), 401, "MISSING_API_KEY"],
        [await sendMessage(server().url, { "X-API-Key": "wrong" }), 401, "INVALID_API_KEY"],
        [await sendMessage(server().url, { "X-API-Key": blocked.key }), 403, "IP_NOT_ALLOWED"],
        [
          await sendMessage(server().url, { "X-API-Key": key, Origin: "https://evil.example" }),
          403,
          "PERMISSION_DENIED",
        ],
        [await sendMessage(server().url, { "X-API-Key": key }, "{"), 400, "VALIDATION_ERROR"],
        [
          await sendMessage(server().url, { "X-API-Key": key }, `[${JSON.stringify(INITIALIZE)}]`),
          400,
          "VALIDATION_ERROR",
        ],
        [await sendMessage(server().url, { "X-API-Key": key }, `"${"x".repeat(70_000)}"`), 413, "PAYLOAD_TOO_LARGE"],
        [await sendMessage(server().url, { "X-API-Key": key }, "", "GET"), 405, "METHOD_NOT_ALLOWED"],
        [await sendMessage(server().url, { "X-API-Key": key }, "", "DELETE"), 405, "METHOD_NOT_ALLOWED"],
      ];
      for (const [response, status, code] of refusals)
        expect([response.status, await response.json()]).toMatchObject([status, { success: false, error: { code } }]);
      expect((await sendMessage(server().url, { "X-API-Key": key, Accept: "text/html" })).status).toBe(406);
      expect((await sendMessage(server().url, { "X-API-Key": key }, '{"jsonrpc":"2.0"}')).status).toBe(400);
      expect((await fetch(`${server().url}/%6Dcp`, { method: "POST" })).status).toBe(404);
      const initialized = await sendMessage(server().url, { "X-API-Key": key });
      expect(initialized.headers.get("mcp-session-id")).toBeNull();
      expect(await initialized.json()).toMatchObject({ result: { serverInfo: { name: "spotline" } } });
      const challenges = (await sendMessage(server().url, {})).headers.get("www-authenticate");
      expect(challenges).toBe('Bearer realm="Spotline", ApiKey realm="Spotline", header="X-API-Key"');
      for (const Accept of ["*/*", "application/json", "application/*;q=0.5"])
        expect((await sendMessage(server().url, { "X-API-Key": key, Accept })).status).toBe(200);
      await server().revoke(id);
      await vi.waitFor(
        async () => expect((await sendMessage(server().url, { "X-API-Key": key })).status).toBe(401),
        5_000,
      );
    });
  });

  describe("Agents over standard input and output", () => {
    test("use the same tools over the API", async () => {
      const { agent, run } = await connectOverPipes(server().url, (await server().createCaller("pro")).key);
      expect((await agent.listTools()).tools.length).toBeGreaterThan(10);
      expect(await run("get_quotes", { symbols: ["EURUSD", "NOPE1"] })).toMatchObject({
        structuredContent: { data: { count: 1, not_found: ["NOPE1"] }, data_mode: "simulated" },
      });
      expect((await run("get_quote", { symbol: "NOPE1" })).content[0]?.text).toMatch(/^SYMBOL_NOT_FOUND/);
      await agent.close();
    });

    test("are told when no server answers, and get every answer when the input ends", async () => {
      const lines = [
        INITIALIZE,
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "get_sessions" } },
      ];
      const env: NodeJS.ProcessEnv = {
        NODE_ENV: "production",
        PATH: process.env.PATH,
        SPOTLINE_URL: "http://127.0.0.1:9",
        SPOTLINE_KEY: "x",
      };
      const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const run = (settings: NodeJS.ProcessEnv) =>
        spawnSync(process.execPath, ["cli/launch.mjs", "mcp"], { input, env: settings, encoding: "utf8" });
      const { stdout, status } = run(env);
      expect(status).toBe(0);
      const answers = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { id: number; result: ToolAnswer });
      expect(answers.find(({ id }) => id === 2)?.result.content[0]?.text).toMatch(
        /^SERVICE_UNAVAILABLE: No server answers/,
      );
      expect(run({ NODE_ENV: "production", PATH: process.env.PATH })).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("SPOTLINE_KEY is missing") as string,
      });
    });
  });
}
