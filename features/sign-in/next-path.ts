export const HOME_PATH = "/quotes";

/**
 * Where to go after signing in: `raw` when it is a path of this site, else the first page. Whatever a browser
 * would read as another host ("//evil.example", "/\evil.example", a tab in between) counts as no path at all.
 */
export function safeNextPath(raw: unknown): string {
  if (typeof raw !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(raw) || raw.includes("\\")) return HOME_PATH;
  const base = "http://spotline.invalid";
  const url = URL.canParse(raw, base) ? new URL(raw, base) : null;
  if (url?.origin !== base) return HOME_PATH;
  const path = url.pathname + url.search + url.hash;
  // "/.//evil.example" only turns into another host once its dots are resolved.
  if (path.startsWith("//") || /^\/(api|v1|sign-in|sign-up)(\/|\?|#|$)/.test(path)) return HOME_PATH;
  return path;
}
