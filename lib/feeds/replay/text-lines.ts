import { closeSync, openSync, readSync } from "node:fs";
import { Unzip, UnzipInflate } from "fflate";
import { NEWLINE, RETURN } from "@/lib/text/ascii";

/** Reads a file's bytes in pieces; null at its end. Throws if the file is damaged. */
export type NextPiece = () => Uint8Array | null;

/** Reads text line by line without holding all of it. Its fields are the position of the current line. */
export interface TextLines {
  bytes: Uint8Array;
  start: number;
  /** The end of the line, without its line break. */
  end: number;
  /** Its number in the file, counted from 1, blank lines included. */
  number: number;
  /** Moves to the next line that is not empty; false at the end. */
  next(): boolean;
}

const PIECE_BYTES = 16_384;
const MAX_LINE_BYTES = 65_536;

export function readLines(nextPiece: NextPiece): TextLines {
  let at = 0;

  /** Reads pieces until `bytes` holds the whole next line from `at`. Returns its end, or -1 at the end of the file. */
  function findLineEnd(): number {
    let end = lines.bytes.indexOf(NEWLINE, at);
    while (end === -1) {
      const piece = nextPiece();
      if (piece === null) return at < lines.bytes.length ? lines.bytes.length : -1;
      const rest = lines.bytes.length - at;
      if (rest > MAX_LINE_BYTES) throw new Error("a line is too long");
      const joined = new Uint8Array(rest + piece.length);
      joined.set(lines.bytes.subarray(at));
      joined.set(piece, rest);
      lines.bytes = joined;
      at = 0;
      end = joined.indexOf(NEWLINE, rest);
    }
    return end;
  }

  const lines: TextLines = {
    bytes: new Uint8Array(0),
    start: 0,
    end: 0,
    number: 0,
    next() {
      for (;;) {
        const end = findLineEnd();
        if (end === -1) return false;
        lines.number++;
        lines.start = at;
        at = end + 1;
        lines.end = end > lines.start && lines.bytes[end - 1] === RETURN ? end - 1 : end;
        if (lines.end > lines.start) return true;
      }
    },
  };
  return lines;
}

/**
 * The one file in a zip, unpacked in pieces on demand, because unpacking a day of gold at once (8 MB of text) would
 * block every request for more than 50 ms.
 */
export function unzipPieces(zip: Uint8Array): NextPiece {
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

/** A plain file. It is closed after each piece, so that a reader that stops early leaves nothing open. */
export function readPieces(path: string, pieceBytes = PIECE_BYTES): NextPiece {
  let read = 0;
  return () => {
    const file = openSync(path, "r");
    try {
      const piece = new Uint8Array(pieceBytes);
      const length = readSync(file, piece, 0, pieceBytes, read);
      read += length;
      return length === 0 ? null : piece.subarray(0, length);
    } finally {
      closeSync(file);
    }
  };
}
