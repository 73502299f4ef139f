import { createHash } from "node:crypto";

/**
 * Events of the audit log as a chain: each carries the SHA-256 of the hash before it and of its own content, so that
 * nobody can alter, remove or slip in an event without changing every hash after it. Events cut off the end leave a
 * chain that holds; a hash noted earlier and kept elsewhere finds that out.
 */

/** Facts about an account or key, as JSON. Never a secret, never a hash of one. */
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

/** What stands before the first event. */
export const CHAIN_START = "0".repeat(64);

/** JSON with the names of every object in order: two equal values are written alike. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(",")}}`;
}

/** The hash that an event with this content carries after `previousHash`. */
export function hashEvent(previousHash: string, content: AuditContent): string {
  const { seq, atMs, event, actor, accountId, keyId, address, before, after } = content;
  const hashed = { seq, at: new Date(atMs).toISOString(), event, actor, accountId, keyId, address, before, after };
  return createHash("sha256")
    .update(`${previousHash}\n${canonicalJson(hashed)}`)
    .digest("hex");
}

/** Follows the chain event by event. */
export function followChain() {
  let seq = 0;
  let head = CHAIN_START;
  return {
    /** What is wrong with the next event, in a sentence, or null. */
    problemWith(event: AuditEvent): string | null {
      seq += 1;
      if (event.seq !== seq) return `Event ${seq} is missing.`;
      if (event.previousHash !== head) return `Event ${seq} does not follow the event before it.`;
      if (hashEvent(head, event) !== event.hash) return `Event ${seq} is not what was written down.`;
      head = event.hash;
      return null;
    },
    /** The hash of the last event that was in order. */
    get head() {
      return head;
    },
  };
}
