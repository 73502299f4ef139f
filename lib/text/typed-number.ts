/** Reads numbers as people type them, with the separators and digits of their country. */

interface NumberHints {
  /** A number of about the size that is meant, such as the price now, which decides between two readings. */
  readonly near?: number | null | undefined;
  /** Whether the field can have a number at all, which also decides. */
  readonly accepts?: (value: number) => boolean;
  /** Whether the field has whole numbers only, so that a mark before three digits separates thousands. */
  readonly isWhole?: boolean;
}

/** The number that was typed, or why it is none, to follow the name of the field: "must be a number". */
type TypedNumber = { readonly value: number } | { readonly problem: string };

/** A reading at most this many times larger or smaller than what it should be near is surely the one that is meant. */
const NEAR_FACTOR = 10;

/**
 * Reads "1.0850", "1,0850", "1 234,5", "1'234.5", "−5" and digits of other scripts. A single comma or point before three
 * digits, as in "1,085", can be a decimal mark or a separator of thousands: the hints decide, and a point is a decimal mark
 * without them, as on the pages. If they leave two readings, the problem names both.
 */
export function readTypedNumber(
  typed: string,
  { near, accepts = () => true, isWhole = false }: NumberHints = {},
): TypedNumber {
  const found = listReadings(typed);
  const [first, second] = found.values;
  if (first === undefined) return { problem: "must be a number" };
  if (second === undefined) return { value: first };
  if (isWhole) return { value: second };
  const possible = found.values.filter(accepts);
  const [only] = possible;
  if (possible.length === 1 && only !== undefined) return { value: only };
  if (near) {
    const close = found.values.filter((value) => Math.abs(Math.log(value / near)) <= Math.log(NEAR_FACTOR));
    if (close.length === 1 && close[0] !== undefined) return { value: close[0] };
  } else if (found.mark === ".") return { value: first };
  return { problem: `can be read as ${first} or as ${second}; write ${first.toFixed(4)} or ${second}` };
}

interface Readings {
  /** The reading with a decimal mark is the first of two. */
  readonly values: readonly number[];
  /** The mark that has two meanings. */
  readonly mark?: string;
}

const NONE: Readings = { values: [] };
/** Spaces of any width, apostrophes, low lines and the Arabic separator only ever separate thousands. */
const GROUP_MARK = /[\p{Zs}'’_٬]/gu;
/** Groups of three digits, or as in India of two and a last one of three. */
const GROUPS = /^(\d{1,3}( \d{3})+|\d{1,2}( \d{2})+ \d{3})$/;

function listReadings(typed: string): Readings {
  const [, sign = "", body = ""] = /^([+-]?)\s*(.*)$/.exec(toPlainDigits(typed)) ?? [];
  // Only marks of groups are spaces from here on.
  const text = body.replaceAll(GROUP_MARK, " ");
  const make = (whole: string, decimals = "") =>
    Number(`${sign === "-" ? "-" : ""}${whole.replaceAll(" ", "") || "0"}.${decimals || "0"}`);
  const isWhole = (whole: string) => /^\d*$/.test(whole) || GROUPS.test(whole);
  if (!/\d/.test(text) || !/^[\d ,.]+$/.test(text)) return NONE;

  const mark = text[Math.max(text.lastIndexOf(","), text.lastIndexOf("."))];
  if (mark === undefined) return isWhole(text) ? { values: [make(text)] } : NONE;
  const parts = text.split(mark);
  const last = parts.at(-1) ?? "";
  const other = mark === "," ? "." : ",";
  if (parts.length > 2) {
    // A mark that repeats separates groups, and so can no other.
    const whole = parts.join(" ");
    return text.includes(other) || text.includes(" ") || !isWhole(whole) ? NONE : { values: [make(whole)] };
  }
  const [whole = ""] = parts;
  const groups = whole.replaceAll(other, " ");
  const isMixed = whole.includes(other) && whole.includes(" ");
  if (isMixed || !isWhole(groups) || !/^\d*$/.test(last)) return NONE;
  const decimal = make(groups, last);
  // "0,085" and "1 234,567" have one meaning.
  if (!/^[1-9]\d{0,2}$/.test(whole) || last.length !== 3) return { values: [decimal] };
  return { values: [decimal, make(`${whole} ${last}`)], mark };
}

/** The first digits of the scripts whose keyboards type their own: Arabic, Persian, Devanagari, Bengali, Thai. */
const ZEROS = ["٠", "۰", "०", "০", "๐"].map((zero) => zero.codePointAt(0) ?? 0);

/** Returns a text with European digits, decimal marks and signs, without marks of direction and blanks around it. */
function toPlainDigits(typed: string): string {
  return typed
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .normalize("NFKC")
    .replaceAll(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = ZEROS.find((each) => code >= each && code <= each + 9);
      return zero === undefined ? digit : String(code - zero);
    })
    .replaceAll("٫", ".")
    .replaceAll("،", ",")
    .replaceAll(/[\u2010-\u2013\u2212]/g, "-")
    .trim();
}
