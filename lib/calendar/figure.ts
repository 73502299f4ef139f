import type { CalendarEvent } from "@/lib/calendar/event";

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

/** Whether a higher or a lower figure is good for the currency. */
type Polarity = "higher" | "lower";

/** The first matching pattern decides. Without a match, or with null, no figure is rated. */
const RULES: readonly (readonly [RegExp, Polarity | null])[] = [
  [/participation|auction|inventor|storage|money (stock|supply)|natural gas|votes?\b|reserves/, null],
  [/unemployment rate|jobless|unemployment (claims|change)|claimant|delinquenc|bankruptc|layoffs|challenger/, "lower"],
  [/\bcpi\b|\bppi\b|\bhicp\b|inflation|price index|earnings|wage|labou?r cost/, "higher"],
  [/payrolls|employment|job openings|job advert|vacanc/, "higher"],
  [
    /\bgdp\b|\bpmi\b|production|manufacturing|services|output|orders|sales|spending|income|permits|starts|housing|home/,
    "higher",
  ],
  [
    /confidence|sentiment|climate|optimism|tankan|\bifo\b|\bzew\b|barometer|leading ind|business nz|consumer credit/,
    "higher",
  ],
  [/trade balance|current account|exports|budget balance/, "higher"],
  [/\brate\b|rate decision/, "higher"],
];

export type Outcome = "beat" | "miss" | "in line";

/** Compares a released figure with its forecast by the polarity of its series. Null if that is not possible. */
export function compareWithForecast(title: string, forecast: string, actual: string | null): Outcome | null {
  const polarity = findPolarity(title);
  const [expected, released] = [parseFigure(forecast), parseFigure(actual)];
  if (expected === null || released === null || polarity === null) return null;
  if (expected.value === released.value) return "in line";
  return released.value > expected.value === (polarity === "higher") ? "beat" : "miss";
}

function findPolarity(title: string): Polarity | null {
  const name = title.toLowerCase();
  return RULES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** How far a released figure was from its forecast. */
export interface Surprise {
  /** Actual − forecast, in the figure's unit with its multiplier applied: "5K" is 5,000. */
  readonly value: number;
  /** The surprise in standard deviations; null with fewer than five earlier surprises, or if they are all equal. */
  readonly sigmas: number | null;
  /** How many earlier surprises the standard deviation is of. */
  readonly n: number;
}

/** Fewer surprises do not say what is usual. */
const LEAST_SURPRISES = 5;

/**
 * Computes the surprise of each release of a series, oldest first; null where actual or forecast is missing or no number.
 *
 * In standard deviations a surprise is (actual − forecast) / s. s is the sample standard deviation, around the mean and
 * with n − 1, of the n surprises of the same series before it; later ones do not count, so the value never changes.
 */
export function computeSurprises(releases: readonly Pick<CalendarEvent, "forecast" | "actual">[]): (Surprise | null)[] {
  const earlier: number[] = [];
  return releases.map(({ forecast, actual }) => {
    const [expected, released] = [parseFigure(forecast), parseFigure(actual)];
    if (expected === null || released === null || expected.unit !== released.unit) return null;
    const value = subtract(released.value, expected.value);
    const deviation = getDeviation(earlier);
    const sigmas = earlier.length < LEAST_SURPRISES || deviation === 0 ? null : value / deviation;
    const surprise = { value, sigmas, n: earlier.length };
    earlier.push(value);
    return surprise;
  });
}

/** Subtracts decimals without the noise of binary fractions: 0.3 − 0.1 is 0.2. */
function subtract(a: number, b: number): number {
  return Number((a - b).toPrecision(12));
}

function getDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

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

/** A surprise as people read it. */
export interface WrittenSurprise extends Omit<Surprise, "value"> {
  /** In the unit of the figure, with its sign: "+0.2%". */
  readonly text: string;
}

/** Writes a surprise for people; null for none. */
export function writeSurprise(surprise: Surprise | null, actual: string): WrittenSurprise | null {
  if (surprise === null) return null;
  return { text: formatSurprise(surprise.value, actual), sigmas: surprise.sigmas, n: surprise.n };
}

/** Writes a surprise in standard deviations: "+1.4σ". */
export function formatSigmas(sigmas: number): string {
  return `${sigmas > 0 ? "+" : sigmas < 0 ? "−" : ""}${Math.abs(sigmas).toFixed(1)}σ`;
}
