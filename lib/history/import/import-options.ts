import { isSourceName } from "@/lib/feeds/files/file-names";
import { IMPORT_TIMEFRAMES, STAMPS } from "@/lib/feeds/files/price-rows";
import type { TextOptions } from "@/lib/feeds/files/text-layout";
import { MAX_DIGITS } from "@/lib/market/price";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { DATE_ORDERS } from "@/lib/time/iso-time";
import { parseFileZone } from "@/lib/time/local-clock";

/** What an operator says of the files of an import, in place of what would be recognised. */

export const OPTION_NAMES = [
  "source",
  "zone",
  "clock",
  "symbol",
  "decimals",
  "timeframe",
  "columns",
  "dates",
  "decimal",
  "align",
  "stamps",
  "as-is",
  "max-refused",
] as const;

export type OptionName = (typeof OPTION_NAMES)[number];

/** The values as they were given; "yes" of a flag. */
export type GivenOptions = Readonly<Partial<Record<OptionName, string>>>;

export interface PlanOptions extends TextOptions {
  readonly source?: string | undefined;
  readonly zone?: string | undefined;
  /** A zone whose clock all times are of, also those that state an offset. */
  readonly clock?: string | undefined;
  readonly timeframe?: StoredTimeframe | undefined;
  /** Whether bars that begin off their grid are moved back to it. */
  readonly align?: boolean;
  /** Whether bars are stamped with their beginning, which is usual, or with their end. */
  readonly stamps?: (typeof STAMPS)[number] | undefined;
  /** Whether prices are stored at any level, and with any digits. */
  readonly asIs?: boolean;
  readonly symbol?: string | undefined;
  /** The decimals of Dukascopy's prices, in place of its own. */
  readonly decimals?: number | undefined;
}

export interface ImportSettings {
  readonly plan: PlanOptions;
  /** The share of refused rows from which a file fails. */
  readonly mostRefused: number;
}

/** An option that cannot be read. `reason` goes on after the option's name. */
class OptionRefused extends Error {
  override readonly name = "OptionRefused";
  constructor(
    readonly option: OptionName,
    readonly reason: string,
  ) {
    super(`--${option} ${reason}`);
  }
}

/** Checks the name, because the process has more than one copy of this class: Next bundles its own. */
export function isOptionRefused(error: unknown): error is OptionRefused {
  return error instanceof Error && error.name === "OptionRefused";
}

const DEFAULT_MOST_REFUSED = "20";

/** Reads the options of an import. Throws OptionRefused for the first that has no meaning. */
export function readImportOptions(given: GivenOptions): ImportSettings {
  const { source, zone, clock, symbol, columns, align } = given;
  if (source !== undefined && !isSourceName(source))
    throw new OptionRefused("source", "must be small letters, digits and dashes.");
  for (const option of ["zone", "clock"] as const) {
    const name = given[option];
    if (name !== undefined && parseFileZone(name) === null)
      throw new OptionRefused(option, `must be a zone such as Europe/Athens: there is no time zone ${name}.`);
  }
  return {
    plan: {
      ...{ source, zone, clock, symbol, columns },
      decimals: readDecimals(given.decimals),
      timeframe: readChoice(given, "timeframe", IMPORT_TIMEFRAMES),
      dateOrder: readChoice(given, "dates", DATE_ORDERS),
      decimal: readChoice(given, "decimal", [".", ","]),
      align: align !== undefined,
      stamps: readChoice(given, "stamps", STAMPS),
      asIs: given["as-is"] !== undefined,
    },
    mostRefused: readShare(given["max-refused"] ?? DEFAULT_MOST_REFUSED),
  };
}

function readChoice<Choice extends string>(
  given: GivenOptions,
  option: OptionName,
  choices: readonly Choice[],
): Choice | undefined {
  const value = given[option];
  const found = choices.find((each) => each === value);
  if (value !== undefined && found === undefined)
    throw new OptionRefused(option, `must be one of ${choices.join(", ")}.`);
  return found;
}

function readDecimals(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > MAX_DIGITS)
    throw new OptionRefused("decimals", `must be a number from 0 to ${MAX_DIGITS}.`);
  return Number(text);
}

/** A share that is given in percent. */
function readShare(text: string): number {
  const percent = Number(text);
  if (!/^\d{1,3}(\.\d+)?$/.test(text) || percent > 100)
    throw new OptionRefused("max-refused", "must be from 0 to 100.");
  return percent / 100;
}
