import { AccessError } from "@/lib/access/access-error";
import { MAX_SPELLING_LENGTH } from "@/lib/feeds/intake-source";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";

/**
 * Checks an alias: the spelling as a source sends it, and a symbol of the catalog in any spelling that is clear. Throws an
 * AccessError, "invalid_spelling" or "invalid_symbol".
 */
export function readAlias({ spelling, symbol }: { readonly spelling: string; readonly symbol: string }) {
  // Not trimmed: a broker's spelling may have a blank at its end.
  if (spelling.trim() === "" || spelling.length > MAX_SPELLING_LENGTH || /\p{Cc}/u.test(spelling)) {
    throw new AccessError("invalid_spelling", "Enter the spelling as the source sends it, at most 64 characters.");
  }
  const resolution = catalogResolver.resolve(symbol);
  if (resolution.kind === "found") return { spelling, symbol: resolution.instrument.symbol };
  const near = resolution.kind === "unknown" ? resolution.suggestions : resolution.candidates;
  const hint = near.length === 0 ? "" : ` Near it: ${near.join(", ")}.`;
  throw new AccessError("invalid_symbol", `Choose a symbol of the catalog.${hint}`);
}
