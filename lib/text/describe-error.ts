/** What to say of anything that was thrown. */

const NO_REASON = "no reason was given";
const DEEPEST = 5;

/**
 * Finds what a thrown value says for people: its message, or that of its causes, or its code. Never empty. Several errors
 * in one, as of a host with several addresses, are named one after the other.
 */
export function describeError(thrown: unknown): string {
  try {
    return findReason(thrown, 0) ?? NO_REASON;
  } catch {
    return NO_REASON;
  }
}

function findReason(thrown: unknown, depth: number): string | null {
  if (typeof thrown === "string") return readText(thrown);
  if (typeof thrown !== "object" || thrown === null || depth > DEEPEST) return null;
  const { message, errors, cause, reason, error, code } = thrown as Readonly<Record<string, unknown>>;
  const said = typeof message === "string" ? readText(message) : null;
  if (said !== null) return said;
  const inner = Array.isArray(errors) ? errors.map((each) => findReason(each, depth + 1)) : [];
  const all = new Set(inner.filter((each) => each !== null));
  if (all.size > 0) return [...all].join("; ");
  for (const each of [cause, reason, error]) {
    const found = findReason(each, depth + 1);
    if (found !== null) return found;
  }
  return typeof code === "string" ? readText(code) : null;
}

/** A text of objects that were made a text says nothing. Prisma's texts begin with the place in a program. */
function readText(text: string): string | null {
  const lines = text.trim().split("\n");
  const said = /^Invalid `.*` invocation/.test(lines[0] ?? "") ? (lines.at(-1) ?? "").trim() : lines.join("\n");
  return /^(|\[object \w+\]|\{.*\})$/s.test(said.replace(/^(Uncaught )?\w*Error(: )?/, "")) ? null : said;
}
