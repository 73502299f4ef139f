/** What the browser and the server both know of an upload. */

/** The most bytes of one piece: proxies, ours and nginx by default, admit requests of 1 MiB. */
export const PIECE_BYTES = 960 * 1024;

const MOST_SEGMENTS = 20;
/** File systems allow for 255 bytes. */
const MOST_NAME_BYTES = 240;
const MOST_PATH = 800;

/**
 * The path of an uploaded file below its folder, with slashes; null for one that has no meaning there. Folders stay, since
 * vendors name symbols and days by them. Signs that some file systems lack become underscores. Names that begin with a dot
 * are hidden files, which the command leaves out too.
 */
export function cleanPath(given: string): string | null {
  const segments = given
    .normalize("NFC")
    .split(/[/\\]+/)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== "" && segment !== ".");
  const isNamed = segments.length > 0 && segments.length <= MOST_SEGMENTS;
  if (!isNamed || segments.some((each) => each.startsWith("."))) return null;
  const names = segments.map((each) => each.replaceAll(/[\p{Cc}\p{Cs}<>:"|?*]/gu, "_").replace(/[. ]+$/, "_"));
  const path = names.join("/");
  const isLong = (name: string) => new TextEncoder().encode(name).length > MOST_NAME_BYTES;
  return path.length > MOST_PATH || names.some(isLong) ? null : path;
}
