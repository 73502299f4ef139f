import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import type { MakeCall } from "@/lib/api/mcp/call-tool";
import { createMcpServer } from "@/lib/api/mcp/mcp-server";
import { matchPath } from "@/lib/api/registry";

/** The headers that the protocol reads. */
const PROTOCOL_HEADERS = ["accept", "content-type", "mcp-protocol-version"] as const;
/** The headers of an agent's message that are those of its call, too. */
const CALL_HEADERS = new Set(["host", "user-agent", "traceparent"]);

/** Answers one message. Everything that belongs to it ends with it. */
export async function answerMessage(
  message: object,
  call: Call,
  services: Services,
): Promise<Pick<Response, "status"> & { body: string }> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer(createCaller(call, services));
  await server.connect(transport);
  try {
    const headers = PROTOCOL_HEADERS.map((name) => [name, call.header(name) ?? ""] as [string, string]);
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: headers.filter(([, value]) => value),
    });
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, body: await response.text() };
  } finally {
    await server.close();
  }
}

/** Makes the calls of tools with the pipeline of `/v1`, as the agent's key and from its address. */
function createCaller({ apiKey, header, address }: Call, services: Services): MakeCall {
  return async ({ method, path, search, body }) => {
    const call: Call = {
      method,
      path,
      search,
      apiKey,
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
