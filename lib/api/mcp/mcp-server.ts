import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { callTool, findTool, type MakeCall } from "@/lib/api/mcp/call-tool";
import { type AboutServer, answerStateless, isStateless } from "@/lib/api/mcp/stateless";
import { TOOLS } from "@/lib/api/mcp/tools";
import { formatTerms } from "@/lib/api/openapi/describe-operation";
import { matchPath } from "@/lib/api/registry";

const INSTRUCTIONS =
  "Prices, history, indicators, spreads and economic events of foreign exchange and CFDs. All times are UTC. Every " +
  "result says how fresh its data is: repeat its notes to the user, and never present a stale, closed or simulated " +
  "price as the current price of a real market. Each tool makes one call of the API and counts toward its limits.";

const listed: readonly ListedTool[] = TOOLS.map(({ name, title, hint, endpoint, input }) => ({
  name,
  title,
  description: [endpoint.summary, hint, formatTerms(endpoint)].join(" "),
  inputSchema: input,
  annotations: { title, readOnlyHint: true, openWorldHint: false },
}));

const ABOUT: AboutServer = {
  info: { name: "spotline", title: "Spotline market data", version: "1" },
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  tools: listed,
  olderVersions: SUPPORTED_PROTOCOL_VERSIONS,
};

/** Only for questions to users, which this server never asks. Without it each server would make a validator of its own. */
const noValidator = {
  getValidator: () => {
    throw new Error("This server asks its clients nothing.");
  },
};

/** Creates a server of the Model Context Protocol whose tools make calls of the API. */
export function createMcpServer(makeCall: MakeCall): Server {
  const { info, capabilities, instructions } = ABOUT;
  const server = new Server(info, { capabilities, instructions, jsonSchemaValidator: noValidator });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listed] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = findTool(params.name);
    if (tool === null) throw new McpError(ErrorCode.InvalidParams, `There is no tool of the name ${params.name}.`);
    return callTool(tool, params.arguments ?? {}, makeCall);
  });
  return server;
}

/** The headers that the protocol reads. */
const PROTOCOL_HEADERS = ["content-type", "mcp-protocol-version"] as const;
/** What a client that accepts JSON is taken to accept: every answer is JSON, although the protocol wants both named. */
const ACCEPTED = "application/json, text/event-stream";
const ACCEPTS_JSON = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;
/** The headers of an agent's message that are those of its call, too. */
const CALL_HEADERS = new Set(["host", "user-agent", "traceparent"]);

interface MessageAnswer extends Pick<Response, "status"> {
  readonly body: string;
  /** Whether the API was called, which counts its calls itself. */
  readonly hasCalled: boolean;
}

/** Answers one message. Everything that belongs to it ends with it. */
export async function answerMessage(message: object, call: Call, services: Services): Promise<MessageAnswer> {
  const header = (name: string) => call.header(name);
  const caller = createCaller(call, services);
  let hasCalled = false;
  const makeCall: MakeCall = (made) => {
    hasCalled = true;
    return caller(made);
  };
  if (isStateless(message as Record<string, unknown>, header)) {
    const answer = await answerStateless(message as Record<string, unknown>, header, ABOUT, makeCall);
    return { ...answer, hasCalled };
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer(makeCall);
  await server.connect(transport);
  try {
    const headers = PROTOCOL_HEADERS.map((name) => [name, call.header(name) ?? ""] as [string, string]);
    const accept = call.header("accept");
    headers.push(["accept", accept === undefined || ACCEPTS_JSON.test(accept) ? ACCEPTED : accept]);
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: headers.filter(([, value]) => value),
    });
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, body: await response.text(), hasCalled };
  } finally {
    await server.close();
  }
}

/** Makes the calls of tools with the pipeline of `/v1`, as the agent's key and from its address. */
function createCaller({ apiKey, authorization, header, address }: Call, services: Services): MakeCall {
  return async ({ method, path, search, body }) => {
    const call: Call = {
      method,
      path,
      search,
      apiKey,
      authorization,
      body: body === null ? "none" : Buffer.from(body),
      header: (name) => {
        if (name === "content-type" && body !== null) return "application/json";
        return CALL_HEADERS.has(name) ? header(name) : undefined;
      },
      address,
    };
    const answer = await answerCall(call, matchPath(path), services);
    const headers = new Map(parseHeaderLines(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      status: answer.status,
      header: (name) => headers.get(name) ?? null,
      text: typeof answer.body === "string" ? answer.body : Buffer.from(answer.body).toString("utf8"),
    };
  };
}
