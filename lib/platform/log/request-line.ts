import { isIP } from "node:net";

/** The fields of a request's log line. All texts but the address are ASCII without quotes or backslashes. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The key, and the start of its secret as the dashboard shows it; null without one. */
  readonly key: { readonly id: string; readonly start: string } | null;
  /** Returns its address, or null, and its headers. Called only if the line is written or traced. */
  readonly caller: { address(): string | null; header?(name: string): string | undefined };
  /** The caller's own id of the call: ASCII without quotes or backslashes too; null without one. */
  readonly callerId?: string | null;
}

/** What load balancers and supervisors ask for all day. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);

/** Whether a path template is that of a probe. */
export const isProbe = (path: string): boolean => PROBES.has(path);

/** pino's numbers for info and debug. */
const INFO = 30;
const DEBUG = 20;

/** The level of a request's line: debug for a probe, unless it failed on our side. */
export function getRequestLevel(path: string, status: number): typeof INFO | typeof DEBUG {
  return status < 500 && isProbe(path) ? DEBUG : INFO;
}

/** The line in pino's format, which pino would need a few microseconds for. `time` is in ISO 8601. */
export function formatRequestLine(
  { id, method, path, status, ms, key, caller, callerId = null }: RequestLine,
  time: string,
) {
  const secret = key === null ? "" : `,"key":"${key.id}","key_start":"${key.start}"`;
  const own = callerId === null ? "" : `,"caller_id":"${callerId}"`;
  return (
    `{"level":${getRequestLevel(path, status)},"time":"${time}","id":"${id}","method":"${method}","path":"${path}",` +
    `"status":${status},"ms":${ms},"address":${formatAddress(caller.address())}${secret}${own}}\n`
  );
}

const MAPPED = "::ffff:";

/** Bounds of the memory of recent addresses: how many, and the characters of each, which a proxy may forward. */
const MAX_ADDRESSES = 250;
const MAX_ADDRESS_LENGTH = 45;
/** The JSON of recent addresses: the same callers call again and again. */
const recent = new Map<string, string>();

function formatAddress(address: string | null): string {
  if (address === null) return "null";
  let text = recent.get(address);
  if (text !== undefined) return text;
  text = toJson(address);
  if (recent.size >= MAX_ADDRESSES) recent.clear();
  if (address.length <= MAX_ADDRESS_LENGTH) recent.set(address, text);
  return text;
}

/** An address as JSON, IPv4 also where a socket has it as IPv6. What is no address, such as a forged one, is null. */
function toJson(address: string): string {
  const text = address.startsWith(MAPPED) && address.includes(".") ? address.slice(MAPPED.length) : address;
  return isIP(text) === 0 ? "null" : `"${text}"`;
}
