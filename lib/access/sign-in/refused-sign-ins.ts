import { findNetwork } from "@/lib/access/ip-range";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

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
/** Of one interval. Refusals from more networks than that are counted together. */
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
