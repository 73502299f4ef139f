import { HOUR_MS } from "@/lib/history/hour-columns";
import { openSessions } from "@/lib/market/sessions";

/** The sessions spreads are told apart by; Sydney and Tokyo count as one. They overlap, so an hour may belong to several. */
export const SESSION_GROUPS = ["asian", "london", "new_york"] as const;
export type SessionGroup = (typeof SESSION_GROUPS)[number];

/** A month of hours is asked about again with every hour that ends; working one out takes the time zones' rules. */
const known = new Map<number, readonly SessionGroup[]>();
const MOST_KNOWN = 2_000;

/** The groups with a session open in the UTC hour that holds `atMs`. Sessions open and close on whole hours. */
export function sessionGroupsAt(atMs: number): readonly SessionGroup[] {
  const hour = Math.floor(atMs / HOUR_MS);
  let groups = known.get(hour);
  if (groups === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(hour, (groups = workOut(hour * HOUR_MS)));
  }
  return groups;
}

function workOut(hourMs: number): readonly SessionGroup[] {
  const open = openSessions(hourMs);
  const isOpen: Readonly<Record<SessionGroup, boolean>> = {
    asian: open.includes("sydney") || open.includes("tokyo"),
    london: open.includes("london"),
    new_york: open.includes("new_york"),
  };
  return SESSION_GROUPS.filter((group) => isOpen[group]);
}
