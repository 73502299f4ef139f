export const HOME_PATH = "/overview";

/**
 * Returns where to go after signing in: `raw` if it is a path of this site, else the first page. Anything that a
 * browser could read as another host is rejected: "//evil.example", "/\evil.example", a tab in between.
 */
export function toSafeNextPath(raw: unknown): string {
  if (typeof raw !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(raw) || raw.includes("\\")) return HOME_PATH;
  const base = "http://spotline.invalid";
  const url = URL.canParse(raw, base) ? new URL(raw, base) : null;
  if (url?.origin !== base) return HOME_PATH;
  const path = url.pathname + url.search + url.hash;
  // "/.//evil.example" becomes another host only when its dots are resolved.
  if (path.startsWith("//") || /^\/(api|v1|sign-in|sign-up)(\/|\?|#|$)/.test(path)) return HOME_PATH;
  return path;
}
