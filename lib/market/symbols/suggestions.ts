import type { Instrument } from "@/lib/market/instrument";
import { computeEditDistance } from "@/lib/market/symbols/edit-distance";
import { squeeze } from "@/lib/market/symbols/symbol-names";

const MAX_SUGGESTIONS = 3;
/** Only the beginning of a longer spelling is compared: no name is longer, and the work stays bounded. */
const MAX_COMPARED = 16;
const MIN_PREFIX = 2;
/**
 * A name that lacks more characters of the spelling than this cannot be near, so most of the catalog needs no distance.
 */
const MAX_MISSING = 2;

interface Name {
  readonly symbol: string;
  readonly text: string;
  readonly characters: number;
}

/**
 * Finds up to three symbols whose names are near an unknown spelling, nearest first. The reversed pair always comes
 * first.
 */
export function createSuggester(instruments: readonly Instrument[]): (spelling: string) => readonly string[] {
  const names: readonly Name[] = instruments.flatMap(({ symbol, aliases }) =>
    [symbol, ...aliases]
      .map((name) => squeeze(name) ?? name)
      .map((text) => ({ symbol, text, characters: toCharacterSet(text) })),
  );
  const reversedPairs = new Map(
    instruments.flatMap(({ symbol, base, quote }) => (base && quote ? [[`${quote}${base}`, symbol] as const] : [])),
  );

  return (spelling) => {
    const squeezed = squeeze(spelling.slice(0, 4 * MAX_COMPARED).replace(/[^A-Za-z0-9]+/g, ""))?.slice(0, MAX_COMPARED);
    if (squeezed === undefined) return [];
    const tolerance = getTolerance(squeezed);
    const distances = new Map<string, number>();
    const reversed = reversedPairs.get(squeezed);
    if (reversed !== undefined) distances.set(reversed, -1);
    const ownCharacters = toCharacterSet(squeezed);
    const isFar = (characters: number) => countBits(ownCharacters & ~characters) > MAX_MISSING;
    for (const { symbol, text, characters } of names) {
      const distance = measureDistance(squeezed, text, isFar(characters) ? 0 : tolerance);
      if (distance <= tolerance && distance < (distances.get(symbol) ?? Infinity)) distances.set(symbol, distance);
    }
    const nearest = [...distances].sort(([, one], [, other]) => one - other);
    return nearest.slice(0, MAX_SUGGESTIONS).map(([symbol]) => symbol);
  };
}

/**
 * One typing error in a short name, two from six characters on; in the shortest none: they only match as a beginning.
 */
function getTolerance(squeezed: string): number {
  return squeezed.length < 3 ? 0.5 : squeezed.length < 6 ? 1 : 2;
}

/** Edit distance, except that a name that begins with the other counts as half an error. */
function measureDistance(squeezed: string, name: string, tolerance: number): number {
  if (squeezed.length >= MIN_PREFIX && name.startsWith(squeezed)) return 0.5;
  if (name.length >= 5 && squeezed.startsWith(name)) return 0.5;
  if (tolerance < 1 || Math.abs(squeezed.length - name.length) > tolerance) return Infinity;
  return computeEditDistance(squeezed, name, tolerance);
}

/** The set of characters in a text as bits: one for each letter, and the digits in pairs. */
function toCharacterSet(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bits |= 1 << (code >= 65 ? code - 65 : 26 + ((code - 48) >> 1));
  }
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
