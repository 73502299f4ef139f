import { AccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import { findNetwork } from "@/lib/access/ip-range";
import { type AttemptLimit, createAttempts } from "@/lib/access/sign-in/attempts";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

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
