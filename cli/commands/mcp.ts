import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { type Command, UsageError } from "@/cli/command";
import type { MakeCall, ToolReply } from "@/lib/api/mcp/call-tool";
import { createMcpServer } from "@/lib/api/mcp/mcp-server";

const TIMEOUT_MS = 30_000;

/** `spotline mcp`: the tools of agents over standard input and output, with calls over HTTP. */
export const mcp: Command = {
  name: "mcp",
  summary: "Serve an agent over standard input and output, with the API at SPOTLINE_URL and the key SPOTLINE_KEY.",
  options: {},

  async run() {
    const { SPOTLINE_URL: url, SPOTLINE_KEY: key, PORT: port = "3000" } = process.env;
    if (key === undefined || key === "")
      throw new UsageError("SPOTLINE_KEY is missing: set it to the secret of an API key.");
    await serve(createHttpCaller((url ?? `http://localhost:${port}`).replace(/\/+$/, ""), key));
    return { json: undefined, text: "" };
  },
};

/** Serves until the input ends, and every call that was made before is answered. */
async function serve(makeCall: MakeCall): Promise<void> {
  const open = new Set<Promise<ToolReply>>();
  const server = createMcpServer((call) => {
    const reply = makeCall(call);
    open.add(reply);
    const forget = () => open.delete(reply);
    reply.then(forget, forget);
    return reply;
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport());
  await ended;
  while (open.size > 0) await Promise.all(open);
  // The answers are written in the next turns.
  await new Promise((resolve) => setImmediate(resolve));
  await server.close();
}

/** Makes calls over HTTP. A failure is an error in the format of the API. */
function createHttpCaller(origin: string, key: string): MakeCall {
  return async ({ method, path, search, body }) => {
    const target = `${origin}${path}${search === "" ? "" : `?${search}`}`;
    const headers = { "X-API-Key": key, ...(body === null ? {} : { "Content-Type": "application/json" }) };
    try {
      // A redirect would take the key to another server.
      const options = { method, headers, body, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
      const response = await fetch(target, options);
      const text = await response.text();
      return { status: response.status, header: (name) => response.headers.get(name), text };
    } catch {
      const error = { code: "SERVICE_UNAVAILABLE", message: `No server answers at ${origin}.` };
      return { status: 503, header: () => null, text: JSON.stringify({ success: false, error }) };
    }
  };
}
