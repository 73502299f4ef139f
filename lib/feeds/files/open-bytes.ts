import { closeSync, openSync, readSync } from "node:fs";
import { Gunzip, Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { NEWLINE, RETURN } from "@/lib/text/csv";

/** The bytes of a file, unpacked if it is a zip or gzip archive, read in pieces. */
export interface FileBytes {
  /** The name of the text inside of a zip; null for other files. */
  innerName(): string | null;
  readonly next: NextPiece;
  /** Bytes of the file itself that were read so far. */
  bytesRead(): number;
}

/** Larger than the server takes at a time: a command has nobody to keep waiting. */
const PIECE_BYTES = 256 * 1024;

/** Opens a file. Throws if it cannot be read; `next` throws if an archive is damaged. */
export function openBytes(path: string): FileBytes {
  const head = readHead(path, 4);
  const file = openPieces(path);
  if (head[0] === 0x50 && head[1] === 0x4b) return unpack(file, unzip);
  if (head[0] === 0x1f && head[1] === 0x8b) return unpack(file, gunzip);
  return { ...file, innerName: () => null };
}

/** The first bytes of a file, as they are. */
export function readHead(path: string, length: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(length);
    return head.subarray(0, readSync(file, head, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

function openPieces(path: string): Omit<FileBytes, "innerName"> {
  const readNext = readPieces(path, PIECE_BYTES);
  let read = 0;
  const next = () => {
    const piece = readNext();
    read += piece?.length ?? 0;
    return piece;
  };
  return { next, bytesRead: () => read };
}

interface Unpacker {
  push(piece: Uint8Array, isLast: boolean): void;
  innerName(): string | null;
  /** Throws unless the archive was read to its end. */
  finish(): void;
}

function unpack(file: Omit<FileBytes, "innerName">, create: (onData: (data: Uint8Array) => void) => Unpacker) {
  const pieces: Uint8Array[] = [];
  const unpacker = create((data) => data.length > 0 && pieces.push(data));
  let isEnded = false;
  const next = () => {
    while (pieces.length === 0 && !isEnded) {
      const piece = file.next();
      isEnded = piece === null;
      try {
        if (piece === null) unpacker.finish();
        else unpacker.push(piece, false);
      } catch (error) {
        const { message } = error as Error;
        throw new Error(`the archive is damaged or ends too early (${message})`, { cause: error });
      }
    }
    return pieces.shift() ?? null;
  };
  return { next, bytesRead: file.bytesRead, innerName: unpacker.innerName };
}

function gunzip(onData: (data: Uint8Array) => void): Unpacker {
  let isWhole = false;
  const archive = new Gunzip((data, isLast) => {
    isWhole = isLast;
    onData(data);
  });
  return {
    innerName: () => null,
    push: (piece) => archive.push(piece),
    finish() {
      archive.push(new Uint8Array(0), true);
      if (!isWhole) throw new Error("its end is missing");
    },
  };
}

/** Unpacks the first csv of a zip; HistData adds a text about the file to its own. */
function unzip(onData: (data: Uint8Array) => void): Unpacker {
  let chosen: string | null = null;
  let isWhole = false;
  const archive = new Unzip((entry: UnzipFile) => {
    if (chosen !== null || !/\.(csv|txt|tsv)$/i.test(entry.name) || /\.txt$/i.test(entry.name)) return;
    chosen = entry.name;
    entry.ondata = (error, data, isLast) => {
      if (error) throw error;
      isWhole = isLast;
      onData(data);
    };
    entry.start();
  });
  archive.register(UnzipInflate);
  return {
    innerName: () => chosen,
    push: (piece) => archive.push(piece, false),
    finish() {
      archive.push(new Uint8Array(0), true);
      if (chosen === null) throw new Error("it has no csv file");
      if (!isWhole) throw new Error("its end is missing");
    },
  };
}

/** Reads a file's bytes in pieces; null at its end. Throws if the file is damaged. */
type NextPiece = () => Uint8Array | null;

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

const LINE_PIECE_BYTES = 16_384;
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
      const until = Math.min(fed + LINE_PIECE_BYTES, zip.length);
      archive.push(zip.subarray(fed, until), until === zip.length);
      fed = until;
    }
    const piece = pieces.shift();
    if (piece === undefined && files === 0) throw new Error("not a zip archive, or an empty one");
    return piece ?? null;
  };
}

/** A plain file. It is closed after each piece, so that a reader that stops early leaves nothing open. */
export function readPieces(path: string, pieceBytes = LINE_PIECE_BYTES): NextPiece {
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
