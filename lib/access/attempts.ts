import { AccessError } from "@/lib/access/access-error";
import type { Clock } from "@/lib/platform/clock";

/** Counts guesses at something secret, each before it is checked, so that guesses made at once do not slip through. */
export function createAttempts({ now, most, windowMs }: { now: Clock; most: number; windowMs: number }) {
  const byName = new Map<string, { used: number; endsAtMs: number }>();

  return {
    /** Takes one attempt. Throws the AccessError "too_many_attempts" when there is none left in this window. */
    take(name: string): void {
      const nowMs = now();
      for (const [other, { endsAtMs }] of byName) if (endsAtMs <= nowMs) byName.delete(other);
      const attempts = byName.get(name) ?? { used: 0, endsAtMs: nowMs + windowMs };
      if (attempts.used >= most) {
        const minutes = Math.ceil((attempts.endsAtMs - nowMs) / 60_000);
        const wait = `${minutes} minute${minutes === 1 ? "" : "s"}`;
        throw new AccessError("too_many_attempts", `Too many wrong passwords. Try again in ${wait}.`);
      }
      attempts.used += 1;
      byName.set(name, attempts);
    },

    /** The last attempt was right: the next ones start anew. */
    succeed(name: string): void {
      byName.delete(name);
    },
  };
}
