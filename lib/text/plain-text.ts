/**
 * A text from outside, fit for a database and a page: at most `length` characters, without control characters and half
 * surrogate pairs.
 */
export function toPlainText(text: string, length: number): string {
  const short = text.length <= length ? text : `${text.slice(0, length - 1)}…`;
  return short.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, " ").toWellFormed();
}
