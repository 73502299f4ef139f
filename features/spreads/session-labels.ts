import type { SessionGroup } from "@/lib/history/spreads/session-groups";

export const SESSION_LABELS: Readonly<Record<SessionGroup, { readonly full: string; readonly short: string }>> = {
  asian: { full: "Asian", short: "Asia" },
  london: { full: "London", short: "Lon" },
  new_york: { full: "New York", short: "NY" },
};
