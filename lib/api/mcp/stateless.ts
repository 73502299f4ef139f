import type { Call } from "@/lib/api/engine/call";
import { callTool, findTool, type MakeCall } from "@/lib/api/mcp/call-tool";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The Model Context Protocol without a handshake, from its revision of 2026-07-28 on: each request says which version it
 * uses and what its client can do, and headers repeat what proxies need of it.
 */

/** The versions of this kind that are served, the newest first. */
const VERSIONS: readonly string[] = ["2026-07-28"];
const META = "io.modelcontextprotocol/";

/** Codes of JSON-RPC, and of the protocol. */
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INVALID_REQUEST = -32600;
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

/** What the server tells of itself, whichever version is used. */
export interface AboutServer {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly capabilities: object;
  readonly instructions: string;
  readonly tools: readonly object[];
  /** The versions with a handshake. */
  readonly olderVersions: readonly string[];
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Lists of tools change with the version of the server only. */
const LIST_TTL_MS = HOUR_MS;

class ProtocolFault extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Whether a message is of a version without a handshake: it names its version itself, or its header does. */
export function isStateless(message: Fields, header: Call["header"]): boolean {
  return readMeta(message)[`${META}protocolVersion`] !== undefined || VERSIONS.includes(readVersion(header));
}

/** Answers one message of such a version. */
export async function answerStateless(
  message: Fields,
  header: Call["header"],
  about: AboutServer,
  makeCall: MakeCall,
): Promise<Reply> {
  const { id } = message;
  const isRequest = typeof id === "string" || Number.isSafeInteger(id);
  try {
    if (message.jsonrpc !== "2.0" || typeof message.method !== "string")
      throw new ProtocolFault(400, INVALID_REQUEST, "The message is not one of JSON-RPC 2.0.");
    // Notifications say nothing that this server acts on.
    if (id === undefined) return { status: 202, body: "" };
    if (!isRequest) throw new ProtocolFault(400, INVALID_REQUEST, "id must be a text or a whole number.");
    requireMetadata(message, message.method, header, about);
    const result = await perform(message.method, readFields(message.params), about, makeCall);
    const meta = { [`${META}serverInfo`]: about.info };
    const body = { jsonrpc: "2.0", id, result: { resultType: "complete", ...result, _meta: meta } };
    return { status: 200, body: JSON.stringify(body) };
  } catch (error) {
    if (!(error instanceof ProtocolFault)) throw error;
    const { status, code, message: text, data } = error;
    return {
      status,
      body: JSON.stringify({ jsonrpc: "2.0", ...(isRequest && { id }), error: { code, message: text, data } }),
    };
  }
}

/** Throws unless the headers repeat what the message says, and the message says what it must. */
function requireMetadata(message: Fields, method: string, header: Call["header"], about: AboutServer): void {
  const meta = readMeta(message);
  const requested = meta[`${META}protocolVersion`];
  const missing = ["protocolVersion", "clientCapabilities"].find((name) => meta[META + name] === undefined);
  if (typeof requested !== "string" || missing !== undefined)
    throw new ProtocolFault(400, INVALID_PARAMS, `params._meta lacks ${META}${missing ?? "protocolVersion"}.`);
  requireHeader("MCP-Protocol-Version", header, requested);
  if (!VERSIONS.includes(requested)) {
    const supported = [...VERSIONS, ...about.olderVersions];
    throw new ProtocolFault(400, UNSUPPORTED_VERSION, "Unsupported protocol version", { supported, requested });
  }
  requireHeader("Mcp-Method", header, method);
  const { name } = readFields(message.params);
  if (method === "tools/call" && typeof name === "string") requireHeader("Mcp-Name", header, name);
}

function requireHeader(name: string, header: Call["header"], expected: string): void {
  const value = header(name.toLowerCase());
  if (value !== undefined && decodeValue(value) === expected) return;
  const fault = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
  const message = `Header mismatch: ${name} ${fault}, and the body has ${JSON.stringify(expected)}.`;
  throw new ProtocolFault(400, HEADER_MISMATCH, message);
}

/** A value that no header can carry as it is comes in base64. */
function decodeValue(value: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}

async function perform(method: string, params: Fields, about: AboutServer, makeCall: MakeCall): Promise<object> {
  const cached = { ttlMs: LIST_TTL_MS, cacheScope: "public" };
  const { capabilities, instructions, tools, olderVersions } = about;
  if (method === "server/discover")
    return { supportedVersions: [...VERSIONS, ...olderVersions], capabilities, instructions, ...cached };
  if (method === "tools/list") return { tools, ...cached };
  if (method !== "tools/call") throw new ProtocolFault(404, METHOD_NOT_FOUND, `There is no method ${method}.`);
  const { name, arguments: given = {} } = params;
  const tool = typeof name === "string" ? findTool(name) : null;
  if (tool === null) throw new ProtocolFault(200, INVALID_PARAMS, `There is no tool of the name ${String(name)}.`);
  if (!isFields(given)) throw new ProtocolFault(200, INVALID_PARAMS, "arguments must be an object.");
  return callTool(tool, given, makeCall);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const readFields = (value: unknown): Fields => (isFields(value) ? value : {});
const readMeta = ({ params }: Fields): Fields => readFields(readFields(params)._meta);
const readVersion = (header: Call["header"]): string => header("mcp-protocol-version") ?? "";
