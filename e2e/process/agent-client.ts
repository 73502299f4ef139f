import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** Agents of tests: clients of the Model Context Protocol. */

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: { readonly data?: Record<string, unknown>; readonly [name: string]: unknown };
}

async function connectAgent(transport: StreamableHTTPClientTransport | StdioClientTransport) {
  const agent = new Client({ name: "test", version: "1" });
  await agent.connect(transport);
  return {
    agent,
    run: (name: string, given: Record<string, unknown> = {}) =>
      agent.callTool({ name, arguments: given }) as unknown as Promise<ToolAnswer>,
  };
}

/** Connects over HTTP. */
export const connectOverHttp = (url: string, headers: Record<string, string>) =>
  connectAgent(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Sends one message as it stands. */
export function sendMessage(
  url: string,
  headers: Record<string, string>,
  body = JSON.stringify(INITIALIZE),
  method = "POST",
) {
  const usual = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return fetch(`${url}/mcp`, {
    method,
    headers: { ...usual, ...headers },
    ...(method === "POST" ? { body } : {}),
  });
}

/** Starts the command, and connects over its standard input and output. */
export const connectOverPipes = (url: string, key: string) =>
  connectAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: ["cli/launch.mjs", "mcp"],
      env: { PATH: process.env.PATH ?? "", SPOTLINE_URL: url, SPOTLINE_KEY: key },
    }),
  );
