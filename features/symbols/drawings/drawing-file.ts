import { type Drawing, DRAWING_LIMITS, findDrawingProblem, roundPoints } from "@/lib/access/drawing";

/** Drawings as a file of JSON, which docs/drawings.md describes. */

const FORMAT = "spotline-drawings";
const VERSION = 1;
const MOST_CHARACTERS = 8_388_608;

/** Writes the drawings of a symbol, with every field, also of kinds that this version does not know. */
export function writeDrawingFile(symbol: string, drawings: readonly Drawing[]): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, symbol, drawings }, null, 2)}\n`;
}

type Read =
  | { readonly drawings: readonly Drawing[]; readonly symbol: string | null; readonly problem: null }
  | { readonly problem: string };

/** Reads a file of drawings, or says why it cannot be read. Nothing of a file with a problem is taken. */
export function readDrawingFile(text: string): Read {
  if (text.length > MOST_CHARACTERS) return { problem: "The file is too large for drawings." };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { problem: "The file is not JSON." };
  }
  const { format, version, symbol, drawings: given } = (value ?? {}) as Record<string, unknown>;
  const drawings = Array.isArray(given) ? given.map(roundPoints) : null;
  if (format !== FORMAT || drawings === null) return { problem: "The file has no drawings of Spotline." };
  if (typeof version !== "number" || version > VERSION) {
    return { problem: `The file has version ${String(version)} of the format. This server reads version ${VERSION}.` };
  }
  if (drawings.length > DRAWING_LIMITS.perSymbol) {
    return { problem: `The file has ${drawings.length} drawings. A symbol has at most ${DRAWING_LIMITS.perSymbol}.` };
  }
  for (const [at, each] of drawings.entries()) {
    const problem = findDrawingProblem(each);
    if (problem !== null) return { problem: `Drawing ${at + 1}: ${problem}` };
  }
  const known = drawings as Drawing[];
  if (new Set(known.map(({ id }) => id)).size < known.length) return { problem: "Two drawings have the same id." };
  return { drawings: known, symbol: typeof symbol === "string" ? symbol : null, problem: null };
}
