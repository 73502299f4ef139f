import type { KeyEntry } from "@/lib/access/admission/directory";
import { ApiError } from "@/lib/api/engine/errors";
import type { Instrument } from "@/lib/market/instrument";

/*
 * Which symbols a key may read. Handlers check this for each call: what they keep for several calls is shared by all
 * keys.
 */

type Caller = Pick<KeyEntry, "symbols"> | null;

/** Throws 403 PERMISSION_DENIED, with what the key may read, unless it may read this symbol. */
export function requireSymbol(key: Caller, symbol: string): void {
  if (key !== null && key.symbols !== null && !key.symbols.has(symbol)) throw createSymbolError(key.symbols, symbol);
}

/** Throws 403 PERMISSION_DENIED unless the key may read all of these symbols. */
export function requireSymbols(key: Caller, wanted: readonly { readonly symbol: string }[]): void {
  if (key === null || key.symbols === null) return;
  for (const { symbol } of wanted) requireSymbol(key, symbol);
}

/** The instruments that the key may read: the same array for a key without restrictions. */
export function selectPermitted(key: Caller, instruments: readonly Instrument[]): readonly Instrument[] {
  const list = key?.symbols ?? null;
  return list === null ? instruments : instruments.filter(({ symbol }) => list.has(symbol));
}

function createSymbolError({ names }: { readonly names: readonly string[] }, symbol: string): ApiError {
  return new ApiError("PERMISSION_DENIED", `This API key may not read ${symbol}, only ${names.join(", ")}.`);
}
