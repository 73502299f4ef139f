import type { Sessions } from "@/lib/market/sessions/sessions";

/**
 * The sessions by which spreads are grouped; Sydney and Tokyo are one group. Groups overlap: an hour may be in several.
 */
export const SESSION_GROUPS = ["asian", "london", "new_york"] as const;
export type SessionGroup = (typeof SESSION_GROUPS)[number];

/** The groups with a session open at the beginning of a UTC hour. Sessions open and close on whole hours. */
export function getSessionGroups({ openAt }: Pick<Sessions, "openAt">, hourMs: number): readonly SessionGroup[] {
  const open = openAt(hourMs);
  const isOpen: Readonly<Record<SessionGroup, boolean>> = {
    asian: open.includes("sydney") || open.includes("tokyo"),
    london: open.includes("london"),
    new_york: open.includes("new_york"),
  };
  return SESSION_GROUPS.filter((group) => isOpen[group]);
}
