/**
 * The second of the past that the dashboard shows, as the address has it: `at=2026-11-27T13:30:00Z`. Links, forms and
 * changes of the address keep it, and the pages' data routes get it.
 */

const PARAMETER = /([?&])at=[^&#]*&?/;
/** A time of day is a choice of the page of sessions, whose addresses once had it. */
const CLOCK = /^\d\d(?::|%3A)\d\d$/i;

/** Reads what an address names as the past, also what is not a time; null if it names none. */
export function readAt(search: { get(name: string): string | null }): string | null {
  const at = search.get("at");
  return at === null || CLOCK.test(at) ? null : at;
}

/** Writes an address with a second of the past in place of its own; null for none. */
export function withAt(href: string, at: string | null): string {
  const [address = "", fragment] = href.split("#", 2);
  const end = fragment === undefined ? "" : `#${fragment}`;
  const bare = address.replace(PARAMETER, "$1").replace(/[?&]$/, "");
  if (at === null) return bare + end;
  return `${bare}${bare.includes("?") ? "&" : "?"}at=${encodeURIComponent(at).replaceAll("%3A", ":")}${end}`;
}

/** Writes an address with the second of the page's own. Only in a browser. */
export const keepAt = (href: string): string => withAt(href, readAt(new URLSearchParams(location.search)));

/** Formats a moment as addresses have it: "2026-11-27T13:30:00Z". */
export const toAt = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** What an earlier answer may be shown for until that of another second arrives: never for an earlier second. */
export function isStillPast(before: string | null | undefined, at: string | null): boolean {
  return typeof before === "string" && at !== null && before <= at;
}
