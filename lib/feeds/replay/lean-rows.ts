import { readLines, unzipPieces } from "@/lib/feeds/replay/text-lines";
import { COMMA, POINT, ZERO } from "@/lib/text/ascii";
import { DAY_MS } from "@/lib/time/units";

/** Reads the rows of one recorded day in order. Its fields are those of the current row. */
export interface LeanRows {
  /** Milliseconds since the recording zone's midnight, with recorded fractions. */
  ms: number;
  bid: number;
  ask: number;
  /** Rows so far that were not `ms,bid,ask`, without blank lines. */
  malformed: number;
  /** Moves to the next well-formed row; false at the end. Throws if the archive is damaged. */
  next(): boolean;
}

/** Opens a zip that holds one csv. */
export function openLeanRows(zip: Uint8Array): LeanRows {
  const lines = readLines(unzipPieces(zip));
  const fields = new Float64Array(3);
  const rows: LeanRows = {
    ms: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      while (lines.next()) {
        if (parseRow(lines.bytes, lines.start, lines.end, fields)) {
          rows.ms = fields[0] as number;
          rows.bid = fields[1] as number;
          rows.ask = fields[2] as number;
          return true;
        }
        rows.malformed++;
      }
      return false;
    },
  };
  return rows;
}

/** Reads three plain decimals, the first within a day. Signs and exponents are malformed: recordings have none. */
function parseRow(text: Uint8Array, start: number, end: number, fields: Float64Array): boolean {
  let field = 0;
  let digits = 0;
  let value = 0;
  let scale = 0;
  for (let i = start; i <= end; i++) {
    const byte = i === end ? COMMA : (text[i] as number);
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      scale *= 10;
      // 15 digits are exact in a double; the division below is then rounded once, as parseFloat would.
      if (++digits > 15) return false;
    } else if (byte === POINT && scale === 0) {
      scale = 1;
    } else if (byte === COMMA && digits > 0 && field < 3) {
      fields[field++] = scale > 1 ? value / scale : value;
      digits = value = scale = 0;
    } else {
      return false;
    }
  }
  return field === 3 && (fields[0] as number) < DAY_MS;
}
