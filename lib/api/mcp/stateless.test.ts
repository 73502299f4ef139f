import { expect, test } from "vitest";
import { type AboutServer, answerStateless, isStateless } from "@/lib/api/mcp/stateless";

const ABOUT: AboutServer = {
  info: { name: "spotline", title: "Spotline", version: "1" },
  capabilities: { tools: {} },
  instructions: "Be careful.",
  tools: [{ name: "get_quote" }],
  olderVersions: ["2025-11-25"],
};
const VERSION = "2026-07-28";
const META = { "io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {} };
const neverCalled = () => expect.fail("no call of the API");

const message = (method: string, params: object = {}, meta: object = META) => ({
  ...{ jsonrpc: "2.0", id: 7, method },
  params: { ...params, _meta: meta },
});

async function send(sent: Record<string, unknown>, headers: Readonly<Record<string, string | undefined>> = {}) {
  const { method } = sent as { method: string };
  const given: Record<string, string | undefined> = {
    ...{ "mcp-protocol-version": VERSION, "mcp-method": method },
    ...headers,
  };
  const { status, body } = await answerStateless(sent, (name) => given[name], ABOUT, neverCalled);
  return { status, body: body === "" ? null : (JSON.parse(body) as { error?: { code: number; data?: object } }) };
}

test("A server without a handshake says what it is, and lists its tools", async () => {
  expect(await send(message("server/discover"))).toEqual({
    status: 200,
    body: {
      jsonrpc: "2.0",
      id: 7,
      result: {
        resultType: "complete",
        supportedVersions: [VERSION, "2025-11-25"],
        capabilities: { tools: {} },
        instructions: "Be careful.",
        ttlMs: 3_600_000,
        cacheScope: "public",
        _meta: { "io.modelcontextprotocol/serverInfo": ABOUT.info },
      },
    },
  });
  expect((await send(message("tools/list"))).body).toMatchObject({
    result: { resultType: "complete", tools: [{ name: "get_quote" }] },
  });
});

test.each([
  ["without its version in a header", message("tools/list"), { "mcp-protocol-version": undefined }, 400, -32020],
  ["with another version in its header", message("tools/list"), { "mcp-protocol-version": "2025-11-25" }, 400, -32020],
  ["without its method in a header", message("tools/list"), { "mcp-method": undefined }, 400, -32020],
  ["with another method in its header", message("tools/list"), { "mcp-method": "tools/call" }, 400, -32020],
  ["without the name of its tool in a header", message("tools/call", { name: "get_quote" }), {}, 400, -32020],
  [
    "with another tool in its header",
    message("tools/call", { name: "get_quote" }),
    { "mcp-name": "get_bars" },
    400,
    -32020,
  ],
  [
    "without what its client can do",
    message("tools/list", {}, { ...META, "io.modelcontextprotocol/clientCapabilities": undefined }),
    {},
    400,
    -32602,
  ],
  ["without metadata", message("tools/list", {}, {}), {}, 400, -32602],
  ["for a method that does not exist", message("resources/list"), {}, 404, -32601],
  ["for a tool that does not exist", message("tools/call", { name: "no" }), { "mcp-name": "no" }, 200, -32602],
  [
    "with arguments that are no object",
    message("tools/call", { name: "get_quote", arguments: [] }),
    { "mcp-name": "=?base64?Z2V0X3F1b3Rl?=" },
    200,
    -32602,
  ],
  ["with an id that is null", { ...message("tools/list"), id: null }, {}, 400, -32600],
])("A message %s is refused", async (_, sent, headers, status, code) => {
  expect(await send(sent, headers)).toMatchObject({ status, body: { error: { code } } });
});

test("A version that is not served is refused with those that are", async () => {
  const later = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  expect(await send(message("tools/list", {}, later), { "mcp-protocol-version": "2099-01-01" })).toMatchObject({
    status: 400,
    body: { error: { code: -32022, data: { supported: [VERSION, "2025-11-25"], requested: "2099-01-01" } } },
  });
});

test("A notification is accepted without an answer", async () => {
  expect(await send({ jsonrpc: "2.0", method: "notifications/cancelled" })).toEqual({ status: 202, body: null });
});

test("A message is of a version without a handshake if it or its header says so", () => {
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: VERSION } };
  const none = () => undefined;
  expect(isStateless(initialize, none)).toBe(false);
  expect(isStateless(initialize, () => "2025-11-25")).toBe(false);
  expect(isStateless(initialize, () => VERSION)).toBe(true);
  expect(isStateless(message("tools/list"), none)).toBe(true);
  expect(isStateless({ params: null }, none)).toBe(false);
});
