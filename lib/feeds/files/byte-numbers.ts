import { COMMA, MINUS, NINE, POINT, ZERO } from "@/lib/text/ascii";

/** Reads decimals from bytes of text. */

/** Digits that a double holds exactly; the division below is then rounded once, as parseFloat would. */
const MAX_DIGITS = 15;

/** A plain decimal with a point or a comma; NaN for any other text. */
export function readDecimal(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let scale = 0;
  let digits = 0;
  const from = bytes[start] === MINUS ? start + 1 : start;
  for (let i = from; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO;
      scale *= 10;
      if (value !== 0 && ++digits > MAX_DIGITS) return readLong(bytes, start, end);
    } else if ((byte === POINT || byte === COMMA) && scale === 0) {
      scale = 1;
    } else {
      return readLong(bytes, start, end);
    }
  }
  if (end - from - (scale > 0 ? 1 : 0) <= 0) return NaN;
  const size = scale > 1 ? value / scale : value;
  return from === start ? size : -size;
}

/** A number in another notation, such as 1.1e0. */
function readLong(bytes: Uint8Array, start: number, end: number): number {
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 40)));
  return /^-?\d+(\.\d*)?(e[+-]?\d{1,2})?$/i.test(text) ? Number(text) : NaN;
}
