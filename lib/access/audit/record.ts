import { createHash, createHmac } from "node:crypto";
import { DbNull } from "@prisma/client/runtime/client";
import type { Actor, Anonymous, ServerActor } from "@/lib/access/actor";
import type { AuditKey } from "@/lib/access/audit/audit-keys";
import type { Prisma } from "@/prisma/generated/client";

export type EventName =
  | `account.${"create" | "set_plan" | "set_limits" | "set_credits" | "set_password" | "set_role"}`
  | `account.${"suspend" | "resume" | "close" | "sign_in_held" | "refuse_sign_in"}`
  | `account.${"enable" | "disable" | "reset" | "block"}_second_factor`
  | `account.${"renew_recovery_codes" | "use_recovery_code" | "link_identity" | "unlink_identity"}`
  | `account.${"add" | "rename" | "remove" | "refuse"}_passkey`
  | `key.${"create" | "update" | "rotate" | "disable" | "enable" | "revoke" | "restore"}`
  | `key.${"create" | "revoke"}_link`
  | `plan_request.${"create" | "withdraw" | "decline"}`
  | `invitation.${"create" | "revoke"}`
  | `alert.${"create" | "update" | "delete"}`
  | `webhook.${"create" | "delete"}`
  | `device.${"create" | "delete"}`
  | `ingest_token.${"create" | "end"}`
  | `source.${"pause" | "resume" | "reload" | "alias" | "unalias"}`
  | `session.${"start" | "end" | "revoke" | "revoke_others" | "revoke_all"}`
  | `import.${"begin" | "stop" | "undo"}`
  | "history.note_head"
  | `export.${"create" | "delete"}`
  | `instrument.${"add" | "set" | "remove" | "merge"}`;

export interface NewEvent {
  readonly atMs: number;
  readonly event: EventName;
  readonly by: Actor | Anonymous | ServerActor;
  readonly accountId: string;
  readonly keyId?: string;
  readonly before?: Facts;
  readonly after?: Facts;
}

/** The account of an event that concerns none. */
export const NO_ACCOUNT = "00000000-0000-0000-0000-000000000000";
const CLI_NAME = "operator CLI";
/** A stored value, which must not change. */
const ANONYMOUS_NAME = "somebody";
/** The same. No account has this name. */
export const SERVER_NAME = "server";

/** The keys of open transactions, which `change` provides. */
const keys = new WeakMap<Prisma.TransactionClient, AuditKey>();

/** Lets `record` add events in a transaction, with hashes under this key. */
export function allowRecording(transaction: Prisma.TransactionClient, key: AuditKey): void {
  keys.set(transaction, key);
}

/**
 * Adds an event to the audit log. Only inside `change`, which serialises writers. The event is in the transaction of its
 * change, so neither exists without the other.
 */
export async function record(transaction: Prisma.TransactionClient, added: NewEvent): Promise<void> {
  const { atMs, event, by, accountId, keyId = null, before = null, after = null } = added;
  const key = keys.get(transaction);
  if (key === undefined) throw new Error("An event can only be recorded inside `change`.");
  const last = await transaction.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true, hash: true } });
  const previousHash = last?.hash ?? CHAIN_START;
  const content: AuditContent = {
    seq: Number(last?.seq ?? 0) + 1,
    atMs,
    event,
    actor: nameActor(by),
    accountId,
    keyId,
    address: "address" in by ? (by.address ?? null) : null,
    before,
    after,
    hashKey: key.id,
  };
  await transaction.auditEvent.create({
    data: {
      seq: content.seq,
      at: new Date(atMs),
      event,
      actor: content.actor,
      accountId,
      keyId,
      address: content.address,
      before: before === null ? DbNull : { ...before },
      after: after === null ? DbNull : { ...after },
      previousHash,
      hash: hashEvent(previousHash, content, key),
      hashKey: key.id,
    },
  });
}

function nameActor(by: NewEvent["by"]): string {
  if (by.kind === "server") return SERVER_NAME;
  if (by.kind === "operator-cli") return CLI_NAME;
  return by.kind === "anonymous" ? ANONYMOUS_NAME : by.accountId;
}

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
