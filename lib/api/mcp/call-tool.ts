import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type Tool, TOOLS } from "@/lib/api/mcp/tools";
import { formatExactDuration } from "@/lib/time/duration";

/** A call of `/v1` that a tool makes. */
export interface ToolCall {
  readonly method: string;
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** JSON; null without a body. */
  readonly body: string | null;
}

export interface ToolReply {
  readonly status: number;
  /** A header by its lower-case name; null without one. */
  header(name: string): string | null;
  readonly text: string;
}

/** Makes the call: in this process, or over HTTP. */
export type MakeCall = (call: ToolCall) => Promise<ToolReply>;

const toolsByName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | null => toolsByName.get(name) ?? null;

/** Runs a tool. What the API refuses is a result with `isError`, so that the agent can read the reason and correct it. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  makeCall: MakeCall,
): Promise<CallToolResult> {
  const fault = findFault(tool, given);
  if (fault !== null) return formatError({ code: "VALIDATION_ERROR", message: fault }, null);
  const reply = await makeCall(formatCall(tool, given));
  const requestId = reply.header("x-request-id");
  const body = parseObject(reply.text);
  if (reply.status !== 200 || body === null) return formatError(readError(body ?? {}, reply.status), requestId);
  const data = body.success === true && "data" in body ? body.data : body;
  const { notes, ...freshness } = describeFreshness(reply);
  return {
    content: [{ type: "text", text: [...notes, JSON.stringify(data)].join("\n") }],
    structuredContent: { data, ...freshness, notes, request_id: requestId },
  };
}

/** Returns a sentence about the first argument that the tool does not take; null if it takes all. */
function findFault({ input, name: tool }: Tool, given: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(input.properties, name)) {
      const names = Object.keys(input.properties);
      return `${tool} has no argument ${JSON.stringify(name.slice(0, 64))}. ${names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`}`;
    }
    if (!isPlain(value) && !(Array.isArray(value) && value.every(isPlain)))
      return `${name} must be a text, a number, true or false, or a list of texts.`;
  }
  const missing = input.required.find((name) => given[name] === undefined);
  return missing === undefined ? null : `${missing} is required`;
}

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

function formatCall({ endpoint }: Tool, given: Readonly<Record<string, unknown>>): ToolCall {
  const { method, body } = endpoint;
  const segmentName = /\{(\w+)\}/.exec(endpoint.path)?.[1];
  const path = endpoint.path.replace(/\{\w+\}/, () => encodeURIComponent(String(given[segmentName ?? ""])));
  const rest = Object.entries(given).filter(([name]) => name !== segmentName);
  if (body !== null) return { method, path, search: "", body: JSON.stringify(Object.fromEntries(rest)) };
  const search = rest.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return { method, path, search, body: null };
}

/** Parses what should be a JSON object; null for other texts, such as the page of a proxy. */
function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>> | null;
  } catch {
    return null;
  }
}

type ToolError = Readonly<Record<string, unknown>> & { readonly code: unknown; readonly message: unknown };

/** Reads both error formats of the API. */
function readError(body: Readonly<Record<string, unknown>>, status: number): ToolError {
  const { error, message } = body;
  if (error !== null && typeof error === "object") return error as ToolError;
  if (typeof error !== "string")
    return { code: "UNKNOWN", message: `The server answered HTTP ${status} without JSON.` };
  return { ...body, code: error, message };
}

function formatError(error: ToolError, requestId: string | null): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${String(error.code)}: ${String(error.message)}` }],
    structuredContent: { error, request_id: requestId },
  };
}

interface Freshness {
  /** The state of the prices, of several the worst; null where there are none. */
  readonly quote_state: string | null;
  readonly quote_age_ms: number | null;
  readonly data_mode: string;
  /** What an agent must know before it uses the data. */
  readonly notes: readonly string[];
}

/** Describes how far the data of an answer may be trusted, from its headers. */
function describeFreshness({ header }: Pick<ToolReply, "header">): Freshness {
  const state = header("x-quote-state");
  const ageText = header("x-quote-age-ms");
  const ageMs = ageText === null ? null : Number(ageText);
  const mode = header("x-data-mode") ?? "live";
  const notes = [
    describeState(state, ageMs),
    MODE_NOTES[mode] ?? null,
    BAR_NOTES[header("x-bar-state") ?? ""] ?? null,
    describeHoles(header("x-bar-holes")),
    describeCoverage(header("x-coverage")),
  ];
  return {
    quote_state: state,
    quote_age_ms: ageMs,
    data_mode: mode,
    notes: notes.filter((note) => note !== null),
  };
}

const MODE_NOTES: Readonly<Record<string, string>> = {
  simulated: "NOTE: this data is simulated. It is not of a real market.",
  replay: "NOTE: this data is replayed from a recording. It is not current.",
};

const BAR_NOTES: Readonly<Record<string, string>> = {
  short:
    "NOTE: the values are made of the few bars that are stored so far, and change once those before them are filled in.",
  behind: "NOTE: the newest bars are missing: bar_time or timestamp tells of which bar these figures are.",
  outdated:
    "WARNING: the newest bar is outdated: bar_time or timestamp tells of which bar these figures are. Do not present them as current.",
};

function describeState(state: string | null, ageMs: number | null): string | null {
  const age = ageMs === null ? "" : ` Its age is ${formatExactDuration(ageMs)}.`;
  if (state === "stale")
    return `WARNING: the newest price is stale, because its source has stopped sending.${age} Do not present it as the current price.`;
  if (state === "delayed") return `NOTE: the newest price is delayed.${age}`;
  if (state === "closed") return `NOTE: the market is closed, so this is its last price.${age}`;
  return null;
}

function describeHoles(holes: string | null): string | null {
  return holes === null ? null : `NOTE: bars are missing, and figures are of the bars after: ${holes}.`;
}

/** Rows that are missing are worth a note; a market may have been without prices. */
function describeCoverage(coverage: string | null): string | null {
  const [rows, expected] = (coverage ?? "").split("/").map(Number);
  if (rows === undefined || expected === undefined || rows >= expected) return null;
  return `NOTE: ${rows} of ${expected} rows were recorded; the others are missing.`;
}
