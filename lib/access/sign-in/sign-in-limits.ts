import { createHash } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import { findNetwork } from "@/lib/access/allow-list";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The limits of wrong passwords. Addresses with and without an account are counted alike, so that a refusal does not
 * reveal whether there is an account. Counted by account and network, because a limit per account alone would let anyone
 * lock its owner out.
 */
interface SignInLimits {
  /** Every account from one network. */
  readonly network: AttemptLimit;
  /** One account from one network. */
  readonly pair: AttemptLimit;
  /** One account from all networks that it has not signed in from; see `hasSignedInFrom`. */
  readonly account: AttemptLimit;
}

/** `email` is normalised. */
export function getSignInLimits(email: string, address: string | null): SignInLimits {
  const network = findNetwork(address);
  const person = hashEmail(email);
  return {
    network: getPasskeyLimit(address),
    pair: { name: `sign-in:${person}@${network}`, maxAttempts: 5, windowMs: QUARTER_HOUR_MS },
    account: { name: `sign-in:${person}`, maxAttempts: 30, windowMs: HOUR_MS },
  };
}

const KNOWN_FOR_MS = 90 * DAY_MS;
/** The most addresses of the newest sign-ins that are kept. */
const MOST_ADDRESSES = 200;

/**
 * Whether an account has signed in from the network of an address within 90 days. Strangers who use up the count of an
 * account cannot lock its owner out of such a network. The same work is done for an address without an account.
 */
export async function hasSignedInFrom(
  { pool }: Pick<Database, "pool">,
  email: string,
  { address, nowMs }: { readonly address: string | null; readonly nowMs: number },
): Promise<boolean> {
  if (address === null) return false;
  const { rows } = await pool.query<{ address: string }>(
    `SELECT address FROM (
       SELECT address, at FROM audit_event
        WHERE event = 'session.start' AND account_id = (SELECT id FROM account WHERE email = $1)
        ORDER BY seq DESC LIMIT ${MOST_ADDRESSES}) AS sign_in
      WHERE address IS NOT NULL AND at > $2`,
    [email, new Date(nowMs - KNOWN_FOR_MS)],
  );
  const network = findNetwork(address);
  return rows.some((row) => findNetwork(row.address) === network);
}

/** A hash, so that e-mail addresses without an account are not stored. */
const hashEmail = (email: string) => createHash("sha256").update(email).digest("base64url").slice(0, 22);

/**
 * Clients of unknown address count as one network, with ten times its limit: where no client has an address, a few must
 * not use up the attempts of all.
 */
function ofNetwork(name: string, address: string | null, maxAttempts: number, windowMs: number): AttemptLimit {
  const share = address === null ? 10 : 1;
  return { name: `${name}@${findNetwork(address)}`, maxAttempts: share * maxAttempts, windowMs };
}

/** The limit of every account from one network, which passkeys and passwords share. */
export function getPasskeyLimit(address: string | null): AttemptLimit {
  return ofNetwork("sign-in", address, 30, QUARTER_HOUR_MS);
}

/** The limits of mails that reset a password. `email` is normalised. */
export function getResetLimits(email: string, address: string | null): readonly AttemptLimit[] {
  const network = findNetwork(address);
  const person = hashEmail(email);
  return [
    ofNetwork("reset", address, 20, HOUR_MS),
    // Another network can use up the limit of the account, but not at once.
    { name: `reset:${person}@${network}`, maxAttempts: 3, windowMs: HOUR_MS },
    { name: `reset:${person}`, maxAttempts: 10, windowMs: HOUR_MS },
  ];
}

/** Limits how fast sign-ups can find out which e-mail addresses have an account. */
export function getSignUpLimit(address: string | null): AttemptLimit {
  return ofNetwork("sign-up", address, 30, HOUR_MS);
}

/** For the audit log. */
export function getRefusalLimit(accountId: string): AttemptLimit {
  return { name: `refusal:${accountId}`, maxAttempts: 6, windowMs: HOUR_MS };
}

/** For a signed-in owner. */
export function getConfirmLimit(accountId: string): AttemptLimit {
  return { name: `confirm:${accountId}`, maxAttempts: 5, windowMs: QUARTER_HOUR_MS };
}

/**
 * Counts attempts at something secret. Each is counted before it is checked, so that concurrent attempts cannot exceed a
 * limit. The counts are in the database: all processes share them, and a restart does not reset them.
 */

export interface AttemptLimit {
  /** What is counted, such as "confirm:0199…". Must not contain a secret. */
  readonly name: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
}

interface Taken {
  /** The first limit with no attempt left, or null. The limits after it are not counted. */
  readonly exhausted: AttemptLimit | null;
  /** When that limit allows the next attempt, UTC milliseconds. */
  readonly untilMs: number;
  /** The limits of which this is the last attempt. */
  readonly last: readonly AttemptLimit[];
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(database: Pick<Database, "pool">, { now }: { now: Clock }) {
  async function count({ name, maxAttempts, windowMs }: AttemptLimit) {
    const nowMs = now();
    const { rows } = await database.pool.query<{ used: number; until: Date }>(
      `INSERT INTO attempt AS counted (name, used, ends_at) VALUES ($1, 1, $3)
       ON CONFLICT (name) DO UPDATE SET
         used = CASE WHEN counted.ends_at <= $2 THEN 1 ELSE least(counted.used, $4) + 1 END,
         ends_at = CASE WHEN counted.ends_at <= $2 THEN excluded.ends_at ELSE counted.ends_at END
       RETURNING used, ends_at AS until`,
      [name, new Date(nowMs), new Date(nowMs + windowMs), maxAttempts],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("An attempt could not be counted.");
    return { used: row.used, untilMs: row.until.getTime() };
  }

  return {
    /** Counts one attempt under each limit, in this order. */
    async take(...limits: readonly AttemptLimit[]): Promise<Taken> {
      await database.pool.query("DELETE FROM attempt WHERE ends_at <= $1", [new Date(now())]);
      const last: AttemptLimit[] = [];
      for (const limit of limits) {
        const { used, untilMs } = await count(limit);
        if (used > limit.maxAttempts) return { exhausted: limit, untilMs, last: [] };
        if (used === limit.maxAttempts) last.push(limit);
      }
      return { exhausted: null, untilMs: now(), last };
    },

    /** Undoes one attempt under each limit. */
    async giveBack(...limits: readonly AttemptLimit[]): Promise<void> {
      const names = limits.map(({ name }) => name);
      await database.pool.query("UPDATE attempt SET used = greatest(used - 1, 0) WHERE name = ANY($1)", [names]);
    },

    /** Resets a limit after a right attempt. */
    async forget(limit: AttemptLimit): Promise<void> {
      await database.pool.query("DELETE FROM attempt WHERE name = $1", [limit.name]);
    },
  };
}

/** Why a sign-in was refused. */
type Reason =
  | "password"
  | "passkey"
  | "second_factor"
  | "recovery_code"
  | "single_sign_on"
  | "suspended"
  | "locked_out";

/** It has neither what was typed nor an e-mail address: people also type passwords into the wrong field. */
export interface RefusedSignIn {
  readonly reason: Reason;
  /** The caller's network address, if known. */
  readonly address: string | null;
  /** The account that was meant, if there is one and it was looked up. */
  readonly accountId?: string | null;
  /** What exactly was wrong, from a fixed set of words. */
  readonly detail?: string;
}

interface Options {
  readonly log: Logger;
  readonly now: Clock;
}

/** Refusals of one reason and detail from one network that came after a line. */
interface Held {
  readonly first: RefusedSignIn;
  readonly endsAtMs: number;
  readonly accounts: Set<string>;
  count: number;
}

const INTERVAL_MS = MINUTE_MS;
const FLUSH_MS = 10 * SECOND_MS;
/** The most lines of one interval. Refusals from more networks than that are counted together. */
const MAX_LINES = 500;
const MAX_ACCOUNTS = 10;

/**
 * Writes refused sign-ins to the log. The first of a reason from a network has a line at once. Those that follow within
 * a minute have one line together, with their count, so that an attacker cannot fill the disk.
 */
export class RefusedSignIns {
  readonly #options: Options;
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  report(refused: RefusedSignIn): void {
    this.flush();
    const { reason, detail = "", address, accountId = null } = refused;
    const own = `${reason} ${detail}@${findNetwork(address)}`;
    const isOne = this.#held.has(own) || this.#held.size < MAX_LINES;
    const name = isOne ? own : `${reason} elsewhere`;
    const held = this.#held.get(name);
    if (held !== undefined) {
      held.count += 1;
      if (accountId !== null && held.accounts.size < MAX_ACCOUNTS) held.accounts.add(accountId);
      return;
    }
    const first = isOne ? refused : { reason, address: null };
    const endsAtMs = this.#options.now() + INTERVAL_MS;
    this.#held.set(name, { first, endsAtMs, accounts: new Set(), count: 0 });
    this.#write(first, accountId === null ? [] : [accountId], 1);
  }

  /** Writes the counts of the minutes that are over. */
  flush(nowMs = this.#options.now()): void {
    for (const [name, { first, endsAtMs, accounts, count }] of this.#held) {
      if (nowMs < endsAtMs) continue;
      this.#held.delete(name);
      if (count > 0) this.#write(first, [...accounts], count);
    }
  }

  /** Writes all counts. */
  stop(): void {
    clearInterval(this.#timer);
    this.flush(Infinity);
  }

  #write({ reason, address, detail }: RefusedSignIn, accounts: readonly string[], count: number): void {
    const fields = { reason, ...(detail === undefined ? {} : { detail }), address, accounts, count };
    this.#options.log.warn(fields, "sign-in refused");
  }
}

/** How many changes the forms of the dashboard admit, for an account and for all accounts of one network. */
export const CHANGE_LIMITS = {
  member: { account: { minute: 30, hour: 300 }, network: { minute: 300, hour: 3_000 } },
  operator: { account: { minute: 120, hour: 1_200 }, network: { minute: 600, hour: 6_000 } },
} as const;

interface Sender extends Pick<Account, "id" | "role"> {
  /** The network address, if known. */
  readonly address: string | null;
}

/** Limits how often forms that change something are sent, in the counts that all processes share. */
export function createChangeLimits(database: Database, { now }: { now: Clock }) {
  const attempts = createAttempts(database, { now });
  return {
    /** Counts one sent form. Rejects with "too_many_changes" and the time to wait if it is one too many. */
    async count(sender: Sender): Promise<void> {
      const { exhausted, untilMs } = await attempts.take(...listLimits(sender));
      if (exhausted === null) return;
      const seconds = Math.max(1, Math.ceil((untilMs - now()) / 1_000));
      throw new AccessError(
        "too_many_changes",
        `Nothing was changed: ${describe(exhausted)}. Send the form again in ${formatWait(seconds)}.`,
      );
    },
  };
}

/** The shortest first: while it is exhausted, the others are not counted. */
function listLimits({ id, role, address }: Sender): AttemptLimit[] {
  const { account, network } = CHANGE_LIMITS[role];
  const toLimits = (name: string, { minute, hour }: { minute: number; hour: number }): AttemptLimit[] => [
    { name: `change-minute${name}`, maxAttempts: minute, windowMs: MINUTE_MS },
    { name: `change-hour${name}`, maxAttempts: hour, windowMs: HOUR_MS },
  ];
  const ofAccount = toLimits(`:${id}`, account);
  // Behind another server all visitors have an unknown address, and must not use up one another's changes.
  return address === null ? ofAccount : [...ofAccount, ...toLimits(`:${role}@${findNetwork(address)}`, network)];
}

function describe({ name, maxAttempts, windowMs }: AttemptLimit): string {
  const who = name.includes("@") ? "your network" : "your account";
  return `${who} has sent ${maxAttempts} forms within ${windowMs === MINUTE_MS ? "a minute" : "an hour"}, the most allowed`;
}

function formatWait(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
