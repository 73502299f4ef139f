import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { callTool, findTool, type MakeCall } from "@/lib/api/mcp/call-tool";
import { TOOLS } from "@/lib/api/mcp/tools";
import { formatTerms } from "@/lib/api/openapi/describe-operation";

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

/** Only for questions to users, which this server never asks. Without it each server would make a validator of its own. */
const noValidator = {
  getValidator: () => {
    throw new Error("This server asks its clients nothing.");
  },
};

/** Creates a server of the Model Context Protocol whose tools make calls of the API. */
export function createMcpServer(makeCall: MakeCall): Server {
  const server = new Server(
    { name: "spotline", title: "Spotline market data", version: "1" },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listed] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = findTool(params.name);
    if (tool === null) throw new McpError(ErrorCode.InvalidParams, `There is no tool of the name ${params.name}.`);
    return callTool(tool, params.arguments ?? {}, makeCall);
  });
  return server;
}
