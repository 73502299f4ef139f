/** The format of an event's figures, as in MqlCalendarEvent. */
export interface Mt5Format {
  readonly unit: number;
  readonly multiplier: number;
  readonly digits: number;
}

/** The least 64-bit integer: MetaTrader's value for "not set". */
const UNSET = (-(2n ** 63n)).toString();
const SCALE_DIGITS = 6;
/** CALENDAR_MULTIPLIER_NONE, THOUSANDS, MILLIONS, BILLIONS, TRILLIONS. */
const LETTERS = ["", "K", "M", "B", "T"];
const PERCENT_UNIT = 1;

/**
 * Formats a figure: 55200000 with one digit is "55.2". Figures are scaled by a million and may exceed a double, so the
 * arithmetic uses BigInt. Null if the figure is not set.
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
