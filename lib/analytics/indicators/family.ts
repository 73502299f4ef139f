import type { IndicatorCategory, IndicatorDefinition } from "@/lib/analytics/indicators/definition";

/**
 * A family of indicators: one formula with parameters. The name of a member is the family's, its parameters and its line,
 * joined by underscores: `RSI_21`, `BBands_20_2.5_upper`. Every parameter is written, and each in one way only: without
 * leading zeros, and without zeros at the end of decimals.
 */
export interface IndicatorFamily {
  readonly name: string;
  /** Another name with the same members. */
  readonly alias?: string;
  readonly title: string;
  readonly category: IndicatorCategory;
  /** The arithmetic in one line, in terms of the parameters, with the conventions in which implementations differ. */
  readonly formula: string;
  /** The author of the definition that it follows. */
  readonly source: string;
  readonly parameters: readonly Parameter[];
  /** What each line is, by its name at the end of the member's; a line without one has an empty name. */
  readonly lines: Readonly<Record<string, string>>;
  /** What parameters have to fulfil together, and whether they do. */
  readonly rule?: { readonly text: string; holds(...values: readonly Value[]): boolean };
  /** Returns what is special to a member, from its parameters and its line. */
  define(...values: readonly Value[]): Member;
}

/** `any`, because each family knows the types of its own parameters. */
// oxlint-disable-next-line typescript/no-explicit-any
type Value = any;

/** A number within bounds, or one of some words. */
export type Parameter =
  | {
      readonly name: string;
      readonly usual: number;
      readonly min: number;
      readonly max: number;
      /** The most decimals; 0 for whole numbers. */
      readonly decimals: number;
    }
  | { readonly name: string; readonly usual: string; readonly words: readonly string[] };

type Member = Pick<IndicatorDefinition, "warmUp" | "range" | "decimals" | "create"> &
  Partial<Pick<IndicatorDefinition, "signal" | "lookback" | "since" | "longest">>;

/** A whole number of bars. */
export function bars(name: string, usual: number, min = 2, max = 500): Parameter {
  return { name, usual, min, max, decimals: 0 };
}

/** A number with decimals. */
export function factor(name: string, usual: number, min = 0.1, max = 10, decimals = 2): Parameter {
  return { name, usual, min, max, decimals };
}

/** The longest periods of averages that never forget: their lookback is the longest that is read. */
export const LONGEST_WILDER = 250;

/** After so many bars the start of exponential averages, one of the other, has a weight of a millionth. */
export function fadeExponential(...periods: readonly number[]): number {
  return periods.reduce((total, period) => total + 7 * (period + 1), 0);
}

/** After so many bars the start of Wilder's averages, one of the other, has a weight of a millionth. */
export function fadeWilder(...periods: readonly number[]): number {
  return periods.reduce((total, period) => total + 14 * period, 0);
}

/** Writes the name of a member. */
export function writeName({ name }: IndicatorFamily, values: readonly Value[], line: string): string {
  return [name, ...values.map(String), ...(line === "" ? [] : [line])].join("_");
}

/** The usual member for each line. */
export function listUsualNames(family: IndicatorFamily): string[] {
  const values = family.parameters.map(({ usual }) => usual);
  return Object.keys(family.lines)
    .filter((line) => family.rule?.holds(...values, line) !== false)
    .map((line) => writeName(family, values, line));
}

/** Creates the indicator of a family that has exactly this name; undefined if there is none. */
export function createMember(family: IndicatorFamily, name: string): IndicatorDefinition | undefined {
  const read = readMember(family, name);
  if (read === null || typeof read === "string") return undefined;
  const { values, line } = read;
  const canonical = writeName(family, values, line);
  if (name !== canonical) return undefined;
  const { title, category, formula, lines } = family;
  const parts = [values.join("/"), lines[line]].filter((part) => part !== "").join(", ");
  const description = parts === "" ? title : `${title} ${parts}`;
  return {
    ...family.define(...values, line),
    name: canonical,
    aliases: [],
    category,
    description,
    formula,
    shape: "B",
  };
}

interface Read {
  readonly values: readonly (number | string)[];
  readonly line: string;
}

/**
 * Reads a name in any case and with any zeros; missing parameters are the usual ones. Returns what is wrong with a
 * parameter; null if the name is not of the family.
 */
export function readMember(family: IndicatorFamily, name: string): Read | string | null {
  const lower = name.toLowerCase();
  const prefix = [family.name, family.alias].find((each) => each !== undefined && startsWithWord(lower, each));
  if (prefix === undefined) return null;
  let rest = lower.slice(prefix.length);
  const values: (number | string)[] = [];
  for (const parameter of family.parameters) {
    const word =
      "words" in parameter
        ? readWord(rest, parameter.words)
        : (/^_(\d{1,7}(?:\.\d{1,6})?)(?=_|$)/.exec(rest)?.[1] ?? null);
    values.push(word === null ? parameter.usual : "words" in parameter ? word : Number(word));
    if (word !== null) rest = rest.slice(word.length + 1);
  }
  const named = rest === "" ? "" : rest.slice(1);
  if (rest !== "" && !rest.startsWith("_")) return null;
  const line = Object.keys(family.lines).find((each) => each.toLowerCase() === named);
  const wrong = family.parameters.flatMap((parameter, i) => describeWrong(parameter, values[i]) ?? []);
  if (wrong.length > 0) return `${family.name}: ${wrong.join(", ")}`;
  if (line === undefined) return null;
  if (family.rule?.holds(...values, line) === false) return `${family.name}: ${family.rule.text}`;
  return { values, line };
}

function startsWithWord(lower: string, word: string): boolean {
  return lower.startsWith(word.toLowerCase()) && (lower.length === word.length || lower[word.length] === "_");
}

function readWord(rest: string, words: readonly string[]): string | null {
  return words.find((word) => startsWithWord(rest, `_${word}`)) ?? null;
}

function describeWrong(parameter: Parameter, value: number | string | undefined): string | null {
  if ("words" in parameter || typeof value !== "number") return null;
  const { name, min, max, decimals } = parameter;
  if (value < min || value > max) return `${name} must be from ${min} to ${max}`;
  if (Number(value.toFixed(decimals)) === value) return null;
  return decimals === 0 ? `${name} must be whole` : `${name} has at most ${decimals} decimals`;
}
