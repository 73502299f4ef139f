import { createHash } from "node:crypto";

/**
 * Events of the audit log form a hash chain: each holds the SHA-256 of the previous hash and its own content, so an event
 * cannot be altered, removed or inserted without changing every later hash. Removing the last events leaves a valid
 * chain; only a hash that was noted elsewhere reveals it.
 */

/** Facts about an account or key, as JSON. Never a secret or its hash. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditContent {
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  /** UTC milliseconds. */
  readonly atMs: number;
  readonly event: string;
  readonly actor: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly address: string | null;
  readonly before: Facts | null;
  readonly after: Facts | null;
}

export interface AuditEvent extends AuditContent {
  readonly previousHash: string;
  /** 64 hexadecimal characters. */
  readonly hash: string;
}

/** The previous hash of the first event. */
export const CHAIN_START = "0".repeat(64);

/** Formats JSON with sorted names, so that equal values give equal texts. */
export function formatCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${formatCanonicalJson(item)}`).join(",")}}`;
}

/** The hash of an event with this content after `previousHash`. */
export function hashEvent(previousHash: string, content: AuditContent): string {
  const { seq, atMs, event, actor, accountId, keyId, address, before, after } = content;
  const hashed = { seq, at: new Date(atMs).toISOString(), event, actor, accountId, keyId, address, before, after };
  return createHash("sha256")
    .update(`${previousHash}\n${formatCanonicalJson(hashed)}`)
    .digest("hex");
}
