/** A released or expected figure as a number. */
export interface Figure {
  /** With its multiplier applied: "1.2M" is 1,200,000. */
  readonly value: number;
  readonly unit: "%" | "";
}

const PATTERN = /^[<>≤≥~]?\s*([-+−]?)\s*[$€£¥]?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)\s*([KMBT]?)\s*(%?)$/i;
const EXPONENTS: Readonly<Record<string, number>> = { "": 0, K: 3, M: 6, B: 9, T: 12 };

/** Reads "0.3%", "-1.700M", "1,200.0B", "<0.75%" or an auction's "4.12|2.5", whose yield counts; null for anything else. */
export function parseFigure(text: string | null): Figure | null {
  const match = PATTERN.exec((text ?? "").split("|")[0]?.trim() ?? "");
  if (match === null) return null;
  const [, sign = "", digits = "", letter = "", percent = ""] = match;
  // A decimal exponent, because multiplying would add binary noise.
  const size = Number(`${digits.replaceAll(",", "")}e${EXPONENTS[letter.toUpperCase()] ?? 0}`);
  return { value: (sign === "" || sign === "+" ? size : -size) || 0, unit: percent === "%" ? "%" : "" };
}
