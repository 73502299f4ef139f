import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { StreamOwner } from "@/features/session/open-streams";
import { getCurrentAccount, getCurrentSession, getSignedInAccount, requireAccount } from "@/features/session/session";
import { createTicketCookie } from "@/features/session/ticket-cookie";
import { readVisitorAddress } from "@/features/session/visitor";
import type { Account } from "@/lib/access/accounts/account";
import { DEMO_ID } from "@/lib/access/id";
import { getEntitlements } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** A page with its data takes about ten requests. */
const DEMO_PER_MINUTE = 300;
/** The busiest page asks a hundred times a minute, and a screen of sixteen panels five hundred times. */
const ACCOUNT_PER_MINUTE = 1_200;
const MAX_VISITORS = 10_000;

/** Counts the requests of each visitor within a minute, in memory: anyone can send them. */
export class Visits {
  readonly #most: number;
  #counts = new Map<string, number>();
  #minute = 0;

  /** @param most how many requests a visitor may make in a minute, unless more are allowed */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one request. Returns false for one too many within this minute, and when too many visitors come at once.
   *
   * @param cost how many usual requests it is worth
   * @param more how many requests this visitor may make beyond the usual number
   */
  count(visitor: string, nowMs: number, cost = 1, more = 0): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#counts = new Map();
    this.#minute = minute;
    const before = this.#counts.get(visitor);
    const count = (before ?? 0) + cost;
    if (count > this.#most + more || (before === undefined && this.#counts.size >= MAX_VISITORS)) return false;
    this.#counts.set(visitor, count);
    return true;
  }
}

/**
 * A viewer sees the pages of the markets: a signed-in account, or a visitor of the demo. The demo has no account in the
 * database and no session, so that its visitors leave nothing there. Pages and actions that require an account refuse it.
 */

const DEMO_LIFE_MS = DAY_MS;

const demoCookie = createTicketCookie<{ readonly visit: string }>("demo", DEMO_LIFE_MS);
const demoVisits = new Visits(DEMO_PER_MINUTE);
const accountVisits = new Visits(ACCOUNT_PER_MINUTE);

/** Admits this browser to the demo, if the operator has turned it on. Only for server actions. */
export async function startDemo(): Promise<void> {
  if ((await getRuntime()).config.hasDemo) await demoCookie.issue({ visit: randomUUID() });
}

/** Only for server actions. */
export async function endDemo(): Promise<void> {
  await demoCookie.end();
}

const readVisit = cache(async () => ((await getRuntime()).config.hasDemo ? demoCookie.read() : null));

/** The account that a visitor of the demo sees; null for a signed-in account and for everybody else. Read once per request. */
export const getDemoAccount = cache(async (): Promise<Account | null> => {
  if ((await readVisit()) === null || (await getSignedInAccount()) !== null) return null;
  return {
    id: DEMO_ID,
    email: "Demo",
    role: "member",
    plan: "pro",
    trialEndsAtMs: null,
    perMinuteLimit: null,
    perDayLimit: null,
    prepaidCredits: 0,
    suspendedAtMs: null,
    suspendedReason: null,
    hasPassword: false,
    createdAtMs: 0,
  };
});

/** Whether an account is that of the demo, which keeps nothing. */
export const isDemoAccount = ({ id }: Pick<Account, "id">): boolean => id === DEMO_ID;

/** Returns the account of a viewer. Other visitors are redirected as by `requireAccount`; too busy ones to the first page. */
export async function requireViewer(here: string): Promise<Account> {
  const demo = await getDemoAccount();
  if (demo === null) return requireAccount(here);
  if (!(await isWithinDemoLimit())) redirect("/?demo=busy");
  return demo;
}

/** Counts one request of the demo. Returns whether its address is within the limit. */
export async function isWithinDemoLimit(): Promise<boolean> {
  return demoVisits.count((await readVisitorAddress()) ?? "", (await getRuntime()).now());
}

/** Counts one request of an account's pages. Returns whether it is within its limit, which grows with the plan. */
export async function isWithinPageLimit({ id, plan }: Pick<Account, "id" | "plan">, cost = 1): Promise<boolean> {
  const { perMinute } = getEntitlements(plan, "standard");
  return accountVisits.count(id, (await getRuntime()).now(), cost, perMinute);
}

/** The owner of a viewer's streams of prices; null for other visitors. */
export async function findStreamOwner(): Promise<StreamOwner | null> {
  const session = await getCurrentSession();
  if (session !== null && (await getCurrentAccount()) !== null) return session;
  const visit = (await getDemoAccount()) === null ? null : await readVisit();
  return visit && { id: visit.visit, accountId: DEMO_ID, isDemo: true };
}
