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

const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** A number of bytes: "512 KB", "1.4 GB". Each unit is 1,000 times the one before. */
export function formatBytes(bytes: number): string {
  let size = bytes / 1_000;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/**
 * A text for a terminal: control characters, which could clear it or write over a line, and signs that reverse the order of
 * letters are written as JSON escapes them. Line breaks stay, but for those of a name; tabs and JSON stay what they are.
 */
export function toTerminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu, escapeCharacter);
}

/** The name of a file on one line. */
export function toNameText(name: string): string {
  return toTerminalText(name).replaceAll(/[\n\t]/g, escapeCharacter);
}

const escapeCharacter = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A text from outside, fit for a database and a page: at most `length` characters, without control characters and half
 * surrogate pairs.
 */
export function toPlainText(text: string, length: number): string {
  const short = text.length <= length ? text : `${text.slice(0, length - 1)}…`;
  return short.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, " ").toWellFormed();
}
