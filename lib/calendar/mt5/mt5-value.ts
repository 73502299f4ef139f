/** How an event writes its figures: as MqlCalendarEvent has it. */
export interface Mt5Format {
  readonly unit: number;
  readonly multiplier: number;
  readonly digits: number;
}

/** The least 64-bit integer: the terminal's word for "not set". */
const UNSET = (-(2n ** 63n)).toString();
const SCALE_DIGITS = 6;
/** CALENDAR_MULTIPLIER_NONE, THOUSANDS, MILLIONS, BILLIONS, TRILLIONS. */
const LETTERS = ["", "K", "M", "B", "T"];
const PERCENT_UNIT = 1;

/**
 * A figure as people write it: 55200000 with one digit is "55.2". The terminal counts in millionths and beyond what a
 * double holds, so this is done on whole numbers. Null where it is not set.
 */
export function formatMt5Value(scaled: string | undefined, { unit, multiplier, digits }: Mt5Format): string | null {
  if (scaled === undefined || scaled === UNSET) return null;
  const shown = Math.min(digits, SCALE_DIGITS);
  const step = 10n ** BigInt(SCALE_DIGITS - shown);
  const value = BigInt(scaled);
  const size = value < 0n ? -value : value;
  const rounded = ((size + step / 2n) / step).toString().padStart(shown + 1, "0");
  const whole = rounded.slice(0, rounded.length - shown);
  const text = shown === 0 ? whole : `${whole}.${rounded.slice(-shown)}`;
  const sign = value < 0n && /[1-9]/.test(rounded) ? "-" : "";
  return `${sign}${text}${LETTERS[multiplier] ?? ""}${unit === PERCENT_UNIT ? "%" : ""}`;
}
