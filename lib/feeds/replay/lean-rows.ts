import { Unzip, UnzipInflate } from "fflate";

/** Reads the rows of one recorded day one after the other. Its fields are those of the current row. */
export interface LeanRows {
  /** Milliseconds since the recording zone's midnight; recorded fractions are kept. */
  ms: number;
  bid: number;
  ask: number;
  /** Rows so far that were not `ms,bid,ask`. Blank lines are not counted. */
  malformed: number;
  /** Moves to the next well-formed row; false at the end. Throws where the archive is damaged. */
  next(): boolean;
}

const PIECE_BYTES = 16_384;
const LONGEST_LINE = 65_536;
const DAY_MS = 86_400_000;
const NEWLINE = 10;
const RETURN = 13;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;

/**
 * Opens a zip that holds one csv. It is unpacked piece by piece as rows are asked for, because unpacking a day of gold
 * at once (8 MB of text) would hold up every request for more than 50 ms.
 */
export function openLeanRows(zip: Uint8Array): LeanRows {
  const nextPiece = unpack(zip);
  let text = new Uint8Array(0);
  let at = 0;

  /** Makes the next line whole in `text`, from `at`; its end, or -1 when nothing is left. */
  function endOfLine(): number {
    let end = text.indexOf(NEWLINE, at);
    while (end === -1) {
      const piece = nextPiece();
      if (piece === null) return at < text.length ? text.length : -1;
      const kept = text.length - at;
      if (kept > LONGEST_LINE) throw new Error("a line without an end");
      const joined = new Uint8Array(kept + piece.length);
      joined.set(text.subarray(at));
      joined.set(piece, kept);
      text = joined;
      at = 0;
      end = text.indexOf(NEWLINE, kept);
    }
    return end;
  }

  const fields = new Float64Array(3);
  const rows: LeanRows = {
    ms: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      for (;;) {
        const end = endOfLine();
        if (end === -1) return false;
        const start = at;
        at = end + 1;
        const lineEnd = end > start && text[end - 1] === RETURN ? end - 1 : end;
        if (lineEnd === start) continue;
        if (parseRow(text, start, lineEnd, fields)) {
          rows.ms = fields[0] as number;
          rows.bid = fields[1] as number;
          rows.ask = fields[2] as number;
          return true;
        }
        rows.malformed++;
      }
    },
  };
  return rows;
}

/** Three plain decimals, the first within a day. Signs and exponents are malformed: no recording has them. */
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

/** Pulls the archive's text piece by piece; null at its end. Throws where it is damaged or holds nothing. */
function unpack(zip: Uint8Array): () => Uint8Array | null {
  const pieces: Uint8Array[] = [];
  let fed = 0;
  let files = 0;
  const archive = new Unzip((file) => {
    files++;
    file.ondata = (error, data) => {
      if (error) throw error;
      if (data.length > 0) pieces.push(data);
    };
    file.start();
  });
  archive.register(UnzipInflate);
  return () => {
    while (pieces.length === 0 && fed < zip.length) {
      const until = Math.min(fed + PIECE_BYTES, zip.length);
      archive.push(zip.subarray(fed, until), until === zip.length);
      fed = until;
    }
    const piece = pieces.shift();
    if (piece === undefined && files === 0) throw new Error("not a zip archive, or an empty one");
    return piece ?? null;
  };
}
