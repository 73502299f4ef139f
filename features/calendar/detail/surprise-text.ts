const EXPONENTS: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12 };

/**
 * Writes a surprise in the unit and with the decimals of its figure: "+0.2%", "−15K".
 *
 * @param value with its multiplier applied: −15,000
 */
export function formatSurprise(value: number, actual: string): string {
  const [, fraction = "", letter = "", percent = ""] =
    /(?:\.(\d+))?\s*([KMBT]?)\s*(%?)$/i.exec(actual.split("|")[0] ?? "") ?? [];
  const scaled = Math.abs(value) / 10 ** (EXPONENTS[letter.toUpperCase()] ?? 0);
  const sign = value > 0 ? "+" : value < 0 ? "−" : "±";
  return `${sign}${scaled.toFixed(fraction.length)}${letter}${percent}`;
}
