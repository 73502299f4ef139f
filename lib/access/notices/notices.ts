import type { Pool } from "pg";
import type { Facts } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { UNUSED_DAYS } from "@/lib/access/keys/key-life";
import { formatPlan, PLAN_NAMES, type PlanName } from "@/lib/access/plans";
import type { Clock } from "@/lib/platform/timing/clock";
import { formatCount } from "@/lib/text/text";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Notices to accounts. A notice is unique by account, topic and level, so it is written once, however many processes
 * write it and however often they restart. One about security is added to when the topic has more.
 */
export type Notices = ReturnType<typeof createNotices>;

export interface NewNotice {
  readonly accountId: string;
  readonly topic: string;
  readonly level: number;
  readonly facts: NoticeFacts;
  /** For a key's end: written only if the key was created before this, UTC milliseconds, and was not replaced. */
  readonly keyOlderThanMs?: number;
  /** For security: when the hour or day of the topic ends, and what was added to the notice is mailed. */
  readonly againAtMs?: number;
}

export interface Notice {
  readonly id: string;
  readonly facts: NoticeFacts;
  /** When it was written, or last added to. */
  readonly createdAtMs: number;
  readonly dismissedAtMs: number | null;
}

const RETENTION_MS = 90 * DAY_MS;
const MAX_LISTED = 100;

export function createNotices(pool: Pool, { now }: { now: Clock }) {
  return {
    async add(notices: readonly NewNotice[], byMail: boolean): Promise<void> {
      await addSecurityNotices(pool, notices.filter(isSecurityNotice), byMail, now());
      const others = notices.filter((notice) => !isSecurityNotice(notice));
      await addNotices(pool, others, byMail, now());
    },

    readUnmailed: (accountId: string): Promise<UnmailedKinds> => readUnmailed(pool, accountId),
    setUnmailed: (accountId: string, kinds: UnmailedKinds): Promise<void> => setUnmailed(pool, accountId, kinds),

    claimDueMails: (): Promise<DueMail[]> => claimDueMails(pool, now()),
    retryMail: (mail: DueMail): Promise<boolean> => retryMail(pool, mail, now()),

    /** An account's notices, newest first. */
    async list(accountId: string): Promise<Notice[]> {
      if (!isId(accountId)) return [];
      const { rows } = await pool.query<Notice>(
        `SELECT id, facts, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
                (extract(epoch FROM dismissed_at) * 1000)::float8 AS "dismissedAtMs"
           FROM notice WHERE account_id = $1 ORDER BY created_at DESC, id LIMIT ${MAX_LISTED}`,
        [accountId],
      );
      return rows;
    },

    /** The number of an account's notices that are not dismissed. */
    async countNew(accountId: string): Promise<number> {
      if (!isId(accountId)) return 0;
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int4 AS count FROM notice WHERE account_id = $1 AND dismissed_at IS NULL",
        [accountId],
      );
      return rows[0]?.count ?? 0;
    },

    /** Dismisses one notice of the account, or all. */
    async dismiss(accountId: string, id: string | "all"): Promise<void> {
      if (!isId(accountId) || (id !== "all" && !isId(id))) return;
      await pool.query(
        `UPDATE notice SET dismissed_at = to_timestamp($3::float8 / 1000)
          WHERE account_id = $1 AND ($2::uuid IS NULL OR id = $2) AND dismissed_at IS NULL`,
        [accountId, id === "all" ? null : id, now()],
      );
    },

    /** Deletes notices older than three months. */
    async deleteOld(): Promise<void> {
      await pool.query("DELETE FROM notice WHERE created_at < to_timestamp($1::float8 / 1000)", [now() - RETENTION_MS]);
    },
  };
}

/** Writes notices, except where the account already has one of the topic at the same or a higher level. */
async function addNotices(pool: Pool, notices: readonly NewNotice[], byMail: boolean, nowMs: number): Promise<void> {
  if (notices.length === 0) return;
  const column = <Value>(pick: (notice: NewNotice) => Value) => notices.map(pick);
  await pool.query(
    `INSERT INTO notice (id, account_id, topic, level, facts, created_at, mail_due_at)
     SELECT gen_random_uuid(), added.account_id, added.topic, added.level, added.facts::jsonb,
            to_timestamp($7::float8 / 1000),
            CASE WHEN $8::bool AND NOT (added.kind = ANY(account.unmailed_notices))
                 THEN to_timestamp($7::float8 / 1000) END
       FROM unnest($1::uuid[], $2::text[], $3::int4[], $4::text[], $5::uuid[], $6::float8[],
                   $9::text[])
            AS added (account_id, topic, level, facts, key_id, older_than_ms, kind)
       JOIN account ON account.id = added.account_id
       LEFT JOIN api_key ON api_key.id = added.key_id
      WHERE NOT EXISTS (SELECT FROM notice WHERE notice.account_id = added.account_id
                           AND notice.topic = added.topic AND notice.level >= added.level)
        AND (added.key_id IS NULL OR (api_key.replaced_by_id IS NULL
             AND api_key.created_at <= to_timestamp(added.older_than_ms / 1000)))
     ON CONFLICT DO NOTHING`,
    [
      column(({ accountId }) => accountId),
      column(({ topic }) => topic),
      column(({ level }) => level),
      column(({ facts }) => JSON.stringify(facts)),
      column(({ facts }) => (facts.kind === "expiry" ? facts.keyId : null)),
      column(({ keyOlderThanMs }) => keyOlderThanMs ?? null),
      nowMs,
      byMail,
      column(({ facts }) => facts.kind),
    ],
  );
}

export interface DueMail {
  readonly id: string;
  readonly email: string;
  readonly facts: NoticeFacts;
  /** When the notice was written, or last added to. */
  readonly createdAtMs: number;
  /** The number of attempts, including this one. */
  readonly tries: number;
}

const MAX_BATCH = 20;
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = MINUTE_MS;

/**
 * Claims the mails that are due. The claimer sends them: if it dies first, a mail stays unsent rather than being sent
 * twice.
 */
async function claimDueMails(pool: Pool, nowMs: number): Promise<DueMail[]> {
  const { rows } = await pool.query<DueMail>(
    `UPDATE notice SET mail_due_at = NULL, mail_tries = mail_tries + 1
       FROM account
      WHERE account.id = notice.account_id AND notice.id IN (
              SELECT id FROM notice WHERE mail_due_at <= to_timestamp($1::float8 / 1000)
               ORDER BY mail_due_at LIMIT ${MAX_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING notice.id, account.email, notice.facts, notice.mail_tries AS tries,
              (extract(epoch FROM notice.created_at) * 1000)::float8 AS "createdAtMs"`,
    [nowMs],
  );
  return rows;
}

/** Schedules a failed mail again after 1, 2, 4 … minutes. Resolves with false if it was the last try. */
async function retryMail(pool: Pool, { id, tries }: DueMail, nowMs: number): Promise<boolean> {
  if (tries >= MAX_TRIES) return false;
  await pool.query("UPDATE notice SET mail_due_at = to_timestamp($2::float8 / 1000) WHERE id = $1", [
    id,
    nowMs + FIRST_PAUSE_MS * 2 ** (tries - 1),
  ]);
  return true;
}

/** Which notices an account also gets as e-mails. Those about its security cannot be switched off. */

export type OptionalKind = Exclude<NoticeFacts["kind"], "security">;
export const OPTIONAL_KINDS = ["quota", "expiry", "unused", "plan"] as const satisfies readonly OptionalKind[];

export type UnmailedKinds = readonly OptionalKind[];

/** The kinds that the account does not want as e-mails. */
async function readUnmailed(pool: Pool, accountId: string): Promise<UnmailedKinds> {
  if (!isId(accountId)) return [];
  const { rows } = await pool.query<{ kinds: string[] }>(
    "SELECT unmailed_notices AS kinds FROM account WHERE id = $1",
    [accountId],
  );
  return OPTIONAL_KINDS.filter((kind) => rows[0]?.kinds.includes(kind));
}

/** Replaces the choice. E-mails of these kinds that are still to be sent are not sent. */
async function setUnmailed(pool: Pool, accountId: string, unmailed: UnmailedKinds): Promise<void> {
  if (!isId(accountId)) return;
  const kinds = OPTIONAL_KINDS.filter((kind) => unmailed.includes(kind));
  await pool.query("UPDATE account SET unmailed_notices = $2::text[] WHERE id = $1", [accountId, kinds]);
  await pool.query("UPDATE notice SET mail_due_at = NULL WHERE account_id = $1 AND facts->>'kind' = ANY($2::text[])", [
    accountId,
    kinds,
  ]);
}

/** The contents of a notice, for the dashboard and for mails. */
export type NoticeFacts =
  | {
      readonly kind: "quota";
      /** The quota of the account, or that of its tool keys. */
      readonly keys: "account" | "tool";
      /** The UTC day, "2026-11-21". */
      readonly day: string;
      readonly percent: number;
      readonly used: number;
      readonly limit: number;
    }
  | {
      readonly kind: "expiry";
      readonly keyId: string;
      readonly label: string;
      /** ISO 8601, UTC. */
      readonly expiresAt: string;
      /** The reminder, in days before the end: 7 or 1. */
      readonly days: number;
    }
  | {
      readonly kind: "unused";
      readonly keyId: string;
      readonly label: string;
      /** UTC days, "2026-11-21". */
      readonly createdOn: string;
      readonly lastUsedOn: string | null;
    }
  | PlanFacts
  | SecurityFacts;

export function formatNoticeTitle(facts: NoticeFacts): string {
  if (facts.kind === "security") return formatSecurityTitle(facts);
  if (facts.kind === "plan") return formatPlanTitle(facts);
  if (facts.kind === "expiry") {
    return `The key “${facts.label}” ends within ${facts.days === 1 ? "a day" : `${facts.days} days`}`;
  }
  if (facts.kind === "unused") return `The key “${facts.label}” has not been used for ${UNUSED_DAYS} days`;
  const calls = facts.keys === "tool" ? "the tool keys’ calls of the day" : "the calls of the day";
  return `${facts.percent >= 100 ? "All" : `${facts.percent} %`} of ${calls} are used`;
}

export function formatNoticeText(facts: NoticeFacts): string {
  if (facts.kind === "security") return formatSecurityText(facts);
  if (facts.kind === "plan") return formatPlanText(facts);
  if (facts.kind === "expiry") {
    const at = facts.expiresAt.slice(0, 16).replace("T", " ");
    return `It ends at ${at} UTC; every call made with it is refused from then on. Rotate it, or give it a later end.`;
  }
  if (facts.kind === "unused") {
    const { lastUsedOn, createdOn } = facts;
    const use =
      lastUsedOn === null ? `It was created on ${createdOn} and never used.` : `Its last use was on ${lastUsedOn}.`;
    return `${use} If no program needs it, revoke it: nobody would notice if others used it.`;
  }
  const sum = `${formatCount(facts.used)} of ${formatCount(facts.limit)} calls on ${facts.day}.`;
  const then = facts.percent >= 100 ? "Further calls are refused" : "Once they are used up, calls are refused";
  return `${sum} ${then} until midnight UTC.`;
}

/** The dashboard page where the owner can act on it. */
export function findNoticePath(facts: NoticeFacts): string {
  if (facts.kind === "security") return findSecurityPath(facts);
  if (facts.kind === "plan") return findPlanPath(facts);
  return facts.kind === "quota" ? "/plan" : `/keys/${facts.keyId}`;
}

/** The contents of a notice about the security of an account. Never a secret. */
export type SecurityFacts = KeyFacts | LinkFacts | SignInFacts | AccountFacts | PasskeyFacts;

/** One time that something happened. */
interface Occurrence {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The network address, if known. Null if an operator did it. */
  readonly address: string | null;
  readonly byOperator: boolean;
  /** The browser of a sign-in: "Firefox on Linux". */
  readonly browser?: string;
  /** What a link opens: "/v1/ohlc". */
  readonly path?: string;
}

interface Shared extends Occurrence {
  readonly kind: "security";
  /** What happened again in the same hour or day, oldest first: at most `MAX_LATER`. */
  readonly later?: readonly Occurrence[];
  /** Whether more happened than is listed. */
  readonly hasMore?: boolean;
}

export type KeyEvent = "key created" | "key rotated" | "key widened" | "key enabled" | "key restored";

interface KeyFacts extends Shared {
  readonly event: KeyEvent | "key used" | "key refused";
  /** The key; of a rotation the new one. */
  readonly keyId: string;
  readonly label: string;
}

interface LinkFacts extends Shared {
  readonly event: "link created";
  /** The key of the link. */
  readonly keyId: string;
  readonly label: string;
  readonly path: string;
}

interface SignInFacts extends Shared {
  readonly event: "sign-in";
  readonly browser: string;
}

interface AccountFacts extends Shared {
  readonly event: "second factor off" | "password changed" | "device moved";
}

export type PasskeyEvent = "passkey added" | "passkey removed" | "passkey refused";

interface PasskeyFacts extends Shared {
  readonly event: PasskeyEvent;
  /** Its name. */
  readonly passkey: string;
}

const MAX_LATER = 20;
const PASSWORD_ADVICE = "change your password, which ends all other sessions";

const ACCOUNT_TITLES = {
  "second factor off": "The second factor of your account is off",
  "password changed": "The password of your account was changed",
  "device moved": "A browser gets the alerts of your account no longer",
} as const;

const PASSKEY_TITLES = {
  "passkey added": "A passkey was added to your account",
  "passkey removed": "A passkey of your account was removed",
  "passkey refused": "A copy of your passkey may have been used",
} as const;

/** Returns the facts with one more occurrence; the same facts if they have it already. */
function addOccurrence(facts: SecurityFacts, added: SecurityFacts): SecurityFacts {
  const { later = [] } = facts;
  const next = toOccurrence(added);
  const isKnown = [toOccurrence(facts), ...later].some((each) => isSame(facts.event, each, next));
  if (isKnown) return facts;
  return later.length < MAX_LATER ? { ...facts, later: [...later, next] } : { ...facts, hasMore: true };
}

/** An address that calls with a key is listed once. */
function isSame(event: SecurityFacts["event"], one: Occurrence, other: Occurrence): boolean {
  if (event === "key used" || event === "key refused") return one.address === other.address;
  const names = ["at", "address", "byOperator", "browser", "path"] as const;
  return names.every((name) => one[name] === other[name]);
}

function toOccurrence({ at, address, byOperator, browser, path }: Occurrence): Occurrence {
  const details = { ...(browser === undefined ? {} : { browser }), ...(path === undefined ? {} : { path }) };
  return { at, address, byOperator, ...details };
}

function formatSecurityTitle(facts: SecurityFacts): string {
  if (facts.event === "sign-in") return "Someone signed in to your account from a new place";
  if ("passkey" in facts) return `${PASSKEY_TITLES[facts.event]}: “${facts.passkey}”`;
  if (!("keyId" in facts)) return ACCOUNT_TITLES[facts.event];
  const key = `the key “${facts.label}”`;
  const titles = {
    "key created": `A key was created: “${facts.label}”`,
    "key rotated": `A new secret was made for ${key}`,
    "key widened": `More is allowed to ${key}`,
    "key enabled": `The key “${facts.label}” was enabled`,
    "key restored": `The key “${facts.label}” was restored`,
    "link created": `A link was created for ${key}`,
    "key used": `A new address uses ${key}`,
    "key refused": `A call with ${key} was refused`,
  } as const;
  return titles[facts.event];
}

function formatSecurityText(facts: SecurityFacts): string {
  const { later = [], hasMore } = facts;
  const texts = [formatFirst(facts)];
  if (later.length > 0) texts.push(`Since then: ${later.map(formatLater).join("; ")}.`);
  if (hasMore === true) texts.push("More followed, which is not listed.");
  return texts.join(" ");
}

function formatLater({ at, address, byOperator, browser, path }: Occurrence): string {
  const by = byOperator ? "an operator" : (address ?? "an unknown address");
  return `${[browser ?? path, by].filter((word) => word !== undefined).join(", ")} at ${formatTime(at)}`;
}

function formatTime(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}

function formatFirst(facts: SecurityFacts): string {
  const { event, at, address, byOperator, later = [] } = facts;
  const isByOperators = byOperator && later.every((each) => each.byOperator);
  const time = formatTime(at);
  const from = address === null ? "" : ` from ${address}`;
  const by = byOperator ? "By an operator" : `With your account${from}`;
  switch (event) {
    case "key created":
    case "key rotated":
    case "key widened":
    case "key enabled":
    case "key restored":
      return `${by}, at ${time}. ${isByOperators ? "" : `If that was not you, revoke the key and ${PASSWORD_ADVICE}.`}`.trim();
    case "key used":
      return (
        `The first call${from} came at ${time}. If you do not know this address, rotate the key. ` +
        "Other new addresses of the same day are added to this notice."
      );
    case "key refused":
      return (
        `The call${from} came at ${time}, and the key’s allow-list does not have that address. If the address is not ` +
        "yours, others have the key: rotate it. Other addresses of the same day are added to this notice."
      );
    case "link created":
      return (
        `It opens ${facts.path} without a key. ${by}, at ${time}.` +
        (isByOperators ? "" : ` If that was not you, revoke the link and ${PASSWORD_ADVICE}.`)
      );
    case "sign-in":
      return `${facts.browser}${from}, at ${time}. If that was not you, ${PASSWORD_ADVICE}.`;
    case "passkey added":
      return `${by}, at ${time}. It signs in without your password. If that was not you, remove it and ${PASSWORD_ADVICE}.`;
    case "passkey removed":
      return `${by}, at ${time}. ${isByOperators ? "" : `If that was not you, ${PASSWORD_ADVICE}.`}`.trim();
    case "passkey refused":
      return (
        `It was refused${from}, at ${time}: its counter was lower than at its last use, as that of a copy is. ` +
        "Remove the passkey and add a new one."
      );
    case "password changed":
      return `${by}, at ${time}. Other sessions ended. If you did not expect that, ask the operator of this installation.`;
    case "device moved":
      return (
        `Another account added it at ${time}, and it gets the alerts of that account now. If it is yours alone, sign in ` +
        `there, add it again, and ${PASSWORD_ADVICE}.`
      );
    case "second factor off":
      return (
        `${by}, at ${time}. Your password alone is enough to sign in now.` +
        (isByOperators ? "" : ` If that was not you, ${PASSWORD_ADVICE}.`)
      );
  }
}

/** The dashboard page where the owner can act on it. */
function findSecurityPath(facts: SecurityFacts): string {
  if (facts.event === "device moved") return "/alerts";
  return "keyId" in facts ? `/keys/${facts.keyId}` : "/account";
}

/** Notices about requests for another plan: to the operators about a new one, to its account about the answer. */

type PlanFacts =
  | {
      readonly kind: "plan";
      readonly event: "requested";
      readonly email: string;
      readonly plan: PlanName;
    }
  | { readonly kind: "plan"; readonly event: "approved"; readonly plan: PlanName }
  | { readonly kind: "plan"; readonly event: "declined"; readonly plan: PlanName; readonly reason: string };

interface PlanEvent {
  readonly atMs: number;
  readonly accountId: string;
  readonly after: Facts | null;
}

/** One notice to each operator who can sign in; at most one a day about an account and a plan. */
export async function buildRequestNotices(pool: Pool, { atMs, accountId, after }: PlanEvent): Promise<NewNotice[]> {
  const plan = toPlan(after);
  const { rows } = await pool.query<{ id: string; email: string }>(
    `SELECT operator.id, account.email FROM account, account AS operator
      WHERE account.id = $1 AND operator.role = 'operator' AND operator.suspended_at IS NULL`,
    [accountId],
  );
  const topic = `plan ${plan} asked by ${accountId} ${new Date(atMs).toISOString().slice(0, 10)}`;
  return rows.map(({ id, email }) => ({
    accountId: id,
    topic,
    level: 1,
    facts: { kind: "plan", event: "requested", email, plan },
  }));
}

/** The notice about an approved request; none where an operator changed the plan without one. */
export function buildApprovalNotice({ accountId, after }: PlanEvent): NewNotice | null {
  const request = after?.approved_request;
  if (request === undefined) return null;
  const facts: PlanFacts = { kind: "plan", event: "approved", plan: toPlan(after) };
  return { accountId, topic: `plan approved ${String(request)}`, level: 1, facts };
}

export function buildRefusalNotice({ accountId, after }: PlanEvent): NewNotice {
  const facts: PlanFacts = { kind: "plan", event: "declined", plan: toPlan(after), reason: String(after?.reason) };
  return { accountId, topic: `plan declined ${String(after?.request)}`, level: 1, facts };
}

function formatPlanTitle(facts: PlanFacts): string {
  if (facts.event === "requested") return `${facts.email} asks for the ${formatPlan(facts.plan)} plan`;
  if (facts.event === "approved") return `Your account is on the ${formatPlan(facts.plan)} plan`;
  return `Your request for the ${formatPlan(facts.plan)} plan was declined`;
}

function formatPlanText(facts: PlanFacts): string {
  if (facts.event === "requested") return "Approve or decline it on the page Plan requests.";
  if (facts.event === "approved") return "An operator approved your request. The limits of the plan apply now.";
  return `The operator’s reason: ${facts.reason}`;
}

function findPlanPath({ event }: PlanFacts): string {
  return event === "requested" ? "/operator/plan-requests" : "/plan";
}

function toPlan(facts: Facts | null): PlanName {
  return PLAN_NAMES.find((name) => name === facts?.plan) ?? "free";
}

/**
 * Notices about the security of accounts. Events of one topic, which is that of an hour or a day, share a notice: what
 * happens again is added to it. So nothing is lost, and nobody can fill the page or the mailbox: a topic is mailed at
 * once, and with all that was added when its hour or day is over.
 */

interface SecurityNotice extends NewNotice {
  readonly facts: SecurityFacts;
}

interface Stored {
  readonly accountId: string;
  readonly topic: string;
  readonly facts: SecurityFacts;
}

/** A notice to write, new or changed. */
type Change = Stored & { readonly level: number; readonly mailAtMs: number };

function isSecurityNotice(notice: NewNotice): notice is SecurityNotice {
  return notice.facts.kind === "security";
}

/** Writes events as notices, or adds them to the notices of their topics. Ignores events that are known. */
async function addSecurityNotices(
  pool: Pool,
  notices: readonly SecurityNotice[],
  byMail: boolean,
  nowMs: number,
): Promise<void> {
  if (notices.length === 0) return;
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const accountIds = [...new Set(notices.map(({ accountId }) => accountId))];
    // Other processes that write notices of these accounts wait for this one.
    await client.query("SELECT FROM account WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE", [accountIds]);
    const { rows } = await client.query<Stored>(
      `SELECT account_id AS "accountId", topic, facts FROM notice
        WHERE account_id = ANY($1::uuid[]) AND topic = ANY($2::text[]) AND facts->>'kind' = 'security'`,
      [accountIds, [...new Set(notices.map(({ topic }) => topic))]],
    );
    const changes = findChanges(rows, notices, nowMs);
    const column = <Value>(pick: (change: Change) => Value) => changes.map(pick);
    await client.query(
      `INSERT INTO notice (id, account_id, topic, level, facts, created_at, mail_due_at)
       SELECT gen_random_uuid(), added.account_id, added.topic, added.level, added.facts::jsonb,
              to_timestamp($6::float8 / 1000), to_timestamp(added.mail_at_ms / 1000)
         FROM unnest($1::uuid[], $2::text[], $3::int4[], $4::text[], $5::float8[])
              AS added (account_id, topic, level, facts, mail_at_ms)
         JOIN account ON account.id = added.account_id
       ON CONFLICT (account_id, topic, level) DO UPDATE
          SET facts = excluded.facts, created_at = excluded.created_at, dismissed_at = NULL, mail_tries = 0,
              mail_due_at = coalesce(notice.mail_due_at, excluded.mail_due_at)`,
      [
        column(({ accountId }) => accountId),
        column(({ topic }) => topic),
        column(({ level }) => level),
        column(({ facts }) => JSON.stringify(facts)),
        column(({ mailAtMs }) => (byMail ? mailAtMs : null)),
        nowMs,
      ],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

function findChanges(stored: readonly Stored[], notices: readonly SecurityNotice[], nowMs: number): Change[] {
  const formatName = ({ accountId, topic }: Pick<Stored, "accountId" | "topic">) => `${accountId} ${topic}`;
  const before = new Map(stored.map((each) => [formatName(each), each.facts]));
  const changes = new Map<string, Change>();
  for (const notice of notices) {
    const { accountId, topic, level, facts: added, againAtMs = nowMs } = notice;
    const name = formatName(notice);
    const known = changes.get(name)?.facts ?? before.get(name);
    const facts = known === undefined ? added : addOccurrence(known, added);
    if (facts === known) continue;
    const mailAtMs = before.has(name) ? againAtMs : nowMs;
    changes.set(name, { accountId, topic, level, facts, mailAtMs });
  }
  return [...changes.values()];
}
