import type { UnknownSpelling } from "@/features/symbols/unknown-symbol";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";

/** Decodes a part of an address; a part that is not valid encoding is returned as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Finds the instrument that a part of an address names in any spelling, or says what may be meant. */
export function resolveSpelling(part: string, resolver: Resolver): Instrument | UnknownSpelling {
  const spelling = decodePart(part);
  const found = resolver.resolve(spelling);
  if (found.kind === "found") return found.instrument;
  const isAmbiguous = found.kind === "ambiguous";
  return { spelling, isAmbiguous, near: isAmbiguous ? found.candidates : found.suggestions };
}

export function isUnknown(found: Instrument | UnknownSpelling): found is UnknownSpelling {
  return "spelling" in found;
}
