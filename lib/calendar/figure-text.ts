/** Figures as files write them, as the calendar stores them: "2,8 %" is "2.8%", and 180 with the unit "K" is "180K". */

export interface FigureStyle {
  /** Whether "2,8" is 2.8. */
  readonly hasDecimalComma: boolean;
  /** Whether figures are whole millionths, as in MqlCalendarValue of MetaTrader. */
  readonly isMillionths: boolean;
}

const FIGURE = /^[<>≤≥~]?\s*[-+−]?\s*[$€£¥]?\s*\d[\d.,\s]*[a-z]{0,2}\s*%?(\|[\d.,\s]+)?$/i;
const BLANK = /^(n\/?a|nan|nat|null|none|undefined|&nbsp;|[-–—]+)?$/i;
/** The least 64-bit integer: MetaTrader's value for "not set". */
const UNSET = "-9223372036854775808";

/**
 * Finds how the figures of a file are written from all of them. Throws an Error if they contradict each other, or if
 * nothing tells whether "1,234" or "1.234" is a whole number where cells are separated by semicolons.
 *
 * @param table the separator of its cells, and whether its columns are named as those of MqlCalendarValue
 */
export function findFigureStyle(
  texts: readonly string[],
  table: { readonly separator: string | null; readonly isNamedAsValues: boolean },
): FigureStyle {
  const figures = [...new Set(texts.map((text) => simplify(text.trim())))].filter((text) => FIGURE.test(text));
  const withComma = figures.find((text) => listNumbers(text).some((number) => findDecimal(number) === ","));
  const withPoint = figures.find((text) => listNumbers(text).some((number) => findDecimal(number) === "."));
  if (withComma !== undefined && withPoint !== undefined)
    throw new Error(`Some figures have a decimal comma and others a decimal point: ${withComma} and ${withPoint}.`);
  const unclear = figures.find((text) => listNumbers(text).some((number) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(number)));
  if (withComma === undefined && withPoint === undefined && unclear !== undefined && table.separator === ";")
    throw new Error(`The figure ${unclear} may be a decimal or have separated thousands; no other figure tells it.`);
  return { hasDecimalComma: withComma !== undefined, isMillionths: areMillionths(texts, table.isNamedAsValues) };
}

/** What stands before and behind a figure, and how the calendar writes it. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  // Revised, preliminary, final or estimated, or with a note.
  [/(?<=[\d%KMBTn)])\s*(?:[rpfe]|\*+|[([](?:r|p|f|e|rev(?:ised)?|prel(?:iminary)?|est)\.?[)\]])$/i, ""],
  [/^(?:USD|EUR|GBP|JPY|AUD|CAD|CHF|NZD|CNY)\s*(?=[-+−($€£¥\d])/i, ""],
  [/(?<=[\dKMBTn])\s*(?:USD|EUR|GBP|JPY|AUD|CAD|CHF|NZD|CNY)$/i, ""],
  [/(?<=[\d)])\s*(?:percent|pct)\.?$/i, "%"],
  [/(?<=\d\s*)(?:thousand|tsd)\b/i, "K"],
  [/(?<=\d\s*)(?:million|mln|mn|mio)s?\b/i, "M"],
  [/(?<=\d\s*)(?:billion|bln|bn|mrd)s?\b/i, "B"],
  [/(?<=\d\s*)(?:trillion|trn|tln|tn|tr)s?\b/i, "T"],
  [/(?<=\d)\s+(?=[KMBT]\b)/i, ""],
  // Accounts write what is below zero in brackets, and some put the sign behind the currency.
  [/^\(([^()+−-]*\d[^()]*)\)(%?)$/, "-$1$2"],
  [/^([-+−]?)(?:US|A|C|NZ|HK)(?=\$)/, "$1"],
  [/^([$€£¥])\s*([-+−])\s*/, "$2$1"],
];

/** A figure without its mark, and with its sign first: "1.2bn" as "1.2B", "$-68.9B" as "-$68.9B", "(0.3%)" as "-0.3%". */
function simplify(text: string): string {
  const simple = SPELLINGS.reduce((found, [form, plain]) => found.replace(form, plain), text);
  return FIGURE.test(simple) ? simple : text;
}

function listNumbers(text: string): string[] {
  return joinThousands(text).match(/\d[\d.,]*/g) ?? [];
}

/** Some languages separate thousands with blanks. */
function joinThousands(text: string): string {
  return text.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, "");
}

/** The decimal sign of a number, or null if it has none or may have either. */
function findDecimal(number: string): "," | "." | null {
  const [comma, point] = [number.lastIndexOf(","), number.lastIndexOf(".")];
  if (comma !== -1 && point !== -1) return comma > point ? "," : ".";
  if (comma === -1 && point === -1) return null;
  const [sign, other] = comma === -1 ? ([".", ","] as const) : ([",", "."] as const);
  const groups = number.split(sign);
  const areThousands = /^[1-9]\d{0,2}$/.test(groups[0] ?? "") && groups.slice(1).every((each) => each.length === 3);
  if (!areThousands) return sign;
  return groups.length > 2 ? other : null;
}

function areMillionths(texts: readonly string[], isNamedAsValues: boolean): boolean {
  if (texts.includes(UNSET)) return true;
  const values = texts.filter((text) => !BLANK.test(text.trim()) && Number(text) !== 0);
  // Millionths of figures with up to three digits after the point are whole thousands.
  if (isNamedAsValues && values.length > 0 && values.every((text) => /^-?\d+000$/.test(text.trim())))
    throw new Error(`The figures may be millionths, as in MqlCalendarValue: ${values[0]}. Divide them by a million.`);
  return false;
}

/** Returns a figure as the calendar stores it; "" for a blank one. `unit` and `multiplier` are those of its row. */
export function readFigureText(text: string, style: FigureStyle, unit = "", multiplier = ""): string {
  const plain = simplify(text.replace(/\s+/g, " ").trim());
  if (BLANK.test(plain) || plain === UNSET) return "";
  if (!FIGURE.test(plain)) return plain;
  const scaled = style.isMillionths && /^-?\d+$/.test(plain) ? divideByMillion(plain) : toPoint(plain, style);
  if (!/^[<>≤≥~]?[-+−]?[$€£¥]?[\d.,]+$/.test(scaled)) return scaled;
  return `${scaled}${readMultiplier(multiplier) || readMultiplier(unit)}${readPercent(unit, style)}`;
}

function toPoint(text: string, { hasDecimalComma }: FigureStyle): string {
  const joined = joinThousands(text).replace(/\s*%$/, "%");
  if (!hasDecimalComma) return joined;
  return joined.replace(/\d[\d.,]*/g, (number) => number.replaceAll(".", "").replace(",", "."));
}

function divideByMillion(digits: string): string {
  const value = BigInt(digits);
  const size = (value < 0n ? -value : value).toString().padStart(7, "0");
  const text = `${size.slice(0, -6)}.${size.slice(-6)}`.replace(/\.?0+$/, "");
  return `${value < 0n ? "-" : ""}${text}`;
}

/** "K", "USD Million", "$B", "CALENDAR_MULTIPLIER_THOUSANDS" or "Thousand Persons" as a letter; "" for anything else. */
function readMultiplier(word: string): string {
  const letter =
    /^[$€£¥]?\s*([kmbt])n?$/i.exec(word.trim()) ?? /(?:^|[\s_])([tmb])(?:housand|illion|rillion)s?\b/i.exec(word);
  if (letter === null) return "";
  return /thousand/i.test(word) ? "K" : (letter[1] ?? "").toUpperCase();
}

/** MetaTrader's number of the unit for percent is 1. */
function readPercent(unit: string, { isMillionths }: FigureStyle): string {
  const word = unit.trim();
  return /^(%|.*\bpercent(age)?|CALENDAR_UNIT_PERCENT)$/i.test(word) || (isMillionths && word === "1") ? "%" : "";
}
