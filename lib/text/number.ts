/** Formatters of numbers for pages, mails and the command line. */

const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const DECIMAL = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });

/** A whole number with its thousands separated: "12,345". */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** A number with at most one decimal place: "12,345.6". */
export function formatDecimal(value: number): string {
  return DECIMAL.format(value);
}

/** A short form for the axis of a chart: "12K". */
export function formatCompactCount(count: number): string {
  return COMPACT.format(count);
}
