import { DAY_MS, SECOND_MS } from "@/lib/time/units";

const YEAR_S = 365 * (DAY_MS / SECOND_MS);

/** Stores a choice in this browser for a year, for the pages below `path`. An empty value removes it. */
export function storeCookie(name: string, value: string, path = "/"): void {
  const age = value === "" ? 0 : YEAR_S;
  document.cookie = `${name}=${value}; path=${path}; max-age=${age}; samesite=lax`;
}
