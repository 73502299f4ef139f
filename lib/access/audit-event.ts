import { createHash, createHmac } from "node:crypto";
import type { AuditKey } from "@/lib/access/audit-key";

/**
 * Events of the audit log form a hash chain: each holds the HMAC of the previous hash and its own content, so an event
 * cannot be altered, removed or inserted without changing every later hash, and nobody can do that without the key.
 * Removing the last events leaves a valid chain; only a hash that was noted elsewhere reveals it. Events of versions
 * before the key have a plain SHA-256; the first hash with a key covers the last of them.
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
  /** The id of the hash's key; null for an event of a version before the key. */
  readonly hashKey: string | null;
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

/** The hash of an event with this content after `previousHash`. Its key is null only if the content names none. */
export function hashEvent(previousHash: string, content: AuditContent, key: AuditKey | null): string {
  const { seq, atMs, event, actor, accountId, keyId, address, before, after } = content;
  const hashed = { seq, at: new Date(atMs).toISOString(), event, actor, accountId, keyId, address, before, after };
  const hash = key === null ? createHash("sha256") : createHmac("sha256", key.bytes);
  return hash.update(`${previousHash}\n${formatCanonicalJson(hashed)}`).digest("hex");
}
