import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Gunzip, Unzip, UnzipInflate } from "fflate";
import { toCsv } from "@/lib/feeds/files/json-rows";
import { listZipMembers, openZipMember } from "@/lib/feeds/files/zip-members";
import { NEWLINE, RETURN } from "@/lib/text/csv";

/** The bytes of a file or of one file in an archive, unpacked, read in pieces. */
export interface FileBytes {
  readonly next: NextPiece;
  /** Bytes of the file itself that were read so far. */
  bytesRead(): number;
}

/** Text in UTF-8 or an encoding of one byte a character, without a mark of its order, with lines that end in "\n". */
export interface FileText extends FileBytes {
  /** As reports name it. */
  readonly encoding: "UTF-8" | "UTF-16";
  /** The whole text, if it had to be read to its end. */
  readonly whole?: Uint8Array;
}

/** One thing that a file holds: itself, or a file in an archive. */
export interface Content {
  /** Its name in the archive; null for a file that is no archive. */
  readonly name: string | null;
  /** Its share of the file, in bytes. */
  readonly bytes: number;
  /** Why it cannot be read; null if it can. */
  readonly fault: string | null;
  /** Opens it from the beginning. `next` throws an Error if it is damaged. */
  open(): FileBytes;
}

/** Larger than the server takes at a time: a command has nobody to keep waiting. */
const PIECE_BYTES = 256 * 1024;

/** Files that systems add to an archive and hide: a Mac's own facts of each file begin like its name. */
const NOT_SHOWN = /(?:^|\/)(?:__MACOSX\/|\.[^/]*$|Thumbs\.db$|desktop\.ini$)/i;

/** What a file holds: all files of a zip, in its order, or the file itself. Throws if it cannot be read. */
export function listContents(path: string, bytes: number): Content[] {
  const head = readHead(path, 4);
  if (head[0] !== 0x50 || head[1] !== 0x4b) return [{ name: null, bytes, fault: null, open: () => openPieces(path) }];
  const members = listZipMembers(path).filter(({ name }) => !NOT_SHOWN.test(name));
  return members.map((member) => ({
    ...{ name: member.name, bytes: member.packedBytes, fault: member.fault },
    open() {
      let read = 0;
      const next = openZipMember(path, member, PIECE_BYTES, (count) => (read += count));
      return { next, bytesRead: () => read };
    },
  }));
}

/** The beginnings of files that are no text of rows, and what they are. */
const NO_TEXT: readonly (readonly [RegExp, string])[] = [
  [/^PK\x03\x04/, "an archive inside of an archive: unpack it first"],
  [/^PAR1/, "a Parquet file inside of an archive: unpack it first"],
  [/^BZh/, "compressed with bzip2: unpack it first"],
  [/^\xfd7zXZ/, "compressed with xz: unpack it first"],
  [/^\x28\xb5\x2f\xfd/, "compressed with zstd: unpack it first"],
  [/^7z\xbc\xaf/, "a 7z archive: unpack it first"],
  [/^Rar!/, "a RAR archive: unpack it first"],
  [/^.{257}ustar/s, "a tar archive: unpack it first"],
  [/^%PDF/, "a PDF document"],
  [/^\xd0\xcf\x11\xe0/, "an old Excel workbook: save it as csv"],
  [/^SQLite format 3/, "a SQLite database"],
  [/^\s*<(?:!doctype|html|head|body|\?xml|!--)/i, "a web page or XML, not the data: download it again"],
];
/** A heading may be in brackets too, such as [DATE]. */
const JSON_START = /^\s*(?:\{|\[\s*(?:[[{"\d\]-]|null))/;
/** As objects it takes many times its length. */
const MOST_JSON_BYTES = 32 * 1024 * 1024;
const HEAD_BYTES = 1_024;

/**
 * Reads bytes as text, also if they are compressed with gzip. Throws an Error that names what the file is if it is no
 * text.
 */
export function openText(bytes: FileBytes): FileText {
  const file = peek(bytes);
  const { head } = file;
  if (head[0] === 0x1f && head[1] === 0x8b) return openText({ next: gunzip(file.next), bytesRead: bytes.bytesRead });
  const utf16 = findUtf16(head);
  if (utf16 !== null) {
    const text = peek({ ...bytes, next: transcode(file.next, utf16) });
    return { ...openPlain(text), encoding: "UTF-16" };
  }
  return { ...openPlain(file), encoding: "UTF-8" };
}

interface Peeked extends FileBytes {
  readonly head: Uint8Array;
}

/** Reads the first bytes without taking them away. */
function peek({ next, bytesRead }: FileBytes): Peeked {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = next(); piece !== null; piece = length < HEAD_BYTES ? next() : null) {
    pieces.push(piece);
    length += piece.length;
  }
  const start = new Uint8Array(Buffer.concat(pieces));
  let isTaken = start.length === 0;
  const takeStart = () => {
    isTaken = true;
    return start;
  };
  return { head: start.subarray(0, HEAD_BYTES), bytesRead, next: () => (isTaken ? next() : takeStart()) };
}

function openPlain(file: Peeked): Omit<FileText, "encoding"> {
  const { head } = file;
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const text = Buffer.from(head.subarray(start)).toString("latin1");
  const found = NO_TEXT.find(([pattern]) => pattern.test(text))?.[1];
  if (found !== undefined) throw new Error(`it is ${found}`);
  if (JSON_START.test(text)) {
    const whole = new TextEncoder().encode(toCsv(readWhole(file, start)));
    return { next: takeOnce(whole), bytesRead: file.bytesRead, whole };
  }
  // A file that was being written when the power failed may end in zeros.
  if (/\0[^\0]/.test(text)) throw new Error("it is no text: expected a csv of ticks or bars");
  // Old programs end lines with a return alone.
  const isReturned = head.includes(RETURN) && !head.includes(NEWLINE);
  let isFirst = true;
  const next = () => {
    const piece = file.next();
    const from = isFirst ? start : 0;
    isFirst = false;
    if (piece === null) return null;
    const rest = from === 0 ? piece : piece.subarray(from);
    return isReturned ? rest.map((byte) => (byte === RETURN ? NEWLINE : byte)) : rest;
  };
  return { next, bytesRead: file.bytesRead };
}

function readWhole(file: Peeked, start: number): string {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = file.next(); piece !== null; piece = file.next()) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_JSON_BYTES) throw new Error("it is JSON of more than 32 MiB: save it as csv");
  }
  return Buffer.concat(pieces).subarray(start).toString();
}

/** Bytes as one piece. */
export function takeOnce(bytes: Uint8Array): NextPiece {
  let isTaken = false;
  return () => {
    if (isTaken) return null;
    isTaken = true;
    return bytes;
  };
}

/** UTF-16 by its mark, or by the zeros in every second byte of digits and signs; null for other text. */
function findUtf16(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  head.forEach((byte, i) => (zeros[i % 2] = (zeros[i % 2] as number) + (byte === 0 ? 1 : 0)));
  const [even = 0, odd = 0] = zeros;
  if (head.length < 8 || Math.max(even, odd) < LEAST_ZEROS * head.length) return null;
  return even === 0 ? "utf-16le" : odd === 0 ? "utf-16be" : null;
}

/** The share of zeros in UTF-16: letters of other alphabets, which have none, stand in headings only. */
const LEAST_ZEROS = 0.2;

function transcode(next: NextPiece, encoding: "utf-16le" | "utf-16be"): NextPiece {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  let isEnded = false;
  return () => {
    if (isEnded) return null;
    const piece = next();
    isEnded = piece === null;
    const text = piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
    return isEnded && text === "" ? null : encoder.encode(text);
  };
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

/** The last bytes of a file, as they are. */
export function readTail(path: string, length: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = new Uint8Array(Math.min(length, size));
    return tail.subarray(0, readSync(file, tail, 0, tail.length, size - tail.length));
  } finally {
    closeSync(file);
  }
}

function openPieces(path: string): FileBytes {
  const readNext = readPieces(path, PIECE_BYTES);
  let read = 0;
  const next = () => {
    const piece = readNext();
    read += piece?.length ?? 0;
    return piece;
  };
  return { next, bytesRead: () => read };
}

/** The checksum and the size behind the data of each part. */
const TRAILER_BYTES = 8;

function gunzip(nextPiece: NextPiece): NextPiece {
  const pieces: Uint8Array[] = [];
  let isWhole = false;
  let isEnded = false;
  let sum = 0;
  /** The last bytes before the current piece and this piece, and where they begin in the archive. */
  let packed = Buffer.alloc(0);
  let packedAt = 0;
  const archive = new Gunzip((data, isLast) => {
    isWhole = isLast;
    if (data.length === 0) return;
    sum = crc32(data, sum);
    pieces.push(data);
  });
  /** Compares the checksum of a part with the one behind it. `end` is where the part ends in the archive. */
  const checkPart = (end: number) => {
    const at = end - packedAt - TRAILER_BYTES;
    if (at < 0 || packed.readUInt32LE(at) !== sum) throw new Error("its checksum is another one");
    sum = 0;
  };
  archive.onmember = checkPart;
  return () => {
    while (pieces.length === 0 && !isEnded) {
      const piece = nextPiece();
      isEnded = piece === null;
      const kept = packed.subarray(Math.max(0, packed.length - TRAILER_BYTES));
      packedAt += packed.length - kept.length;
      packed = Buffer.concat([kept, piece ?? kept.subarray(0, 0)]);
      try {
        archive.push(piece ?? new Uint8Array(0), isEnded);
        if (!isEnded) continue;
        if (!isWhole) throw new Error("its end is missing");
        checkPart(packedAt + packed.length);
      } catch (error) {
        throw new Error(`the archive is damaged or ends too early (${(error as Error).message})`, { cause: error });
      }
    }
    return pieces.shift() ?? null;
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
  /** Whether a line break ends the line, as it may not end the last one. */
  isEnded: boolean;
  /** Moves to the next line that is not empty; false at the end. */
  next(): boolean;
}

const LINE_PIECE_BYTES = 16_384;
const MAX_LINE_BYTES = 65_536;
/** Ctrl-Z. */
const END_MARK = 26;

export function readLines(nextPiece: NextPiece): TextLines {
  let at = 0;

  /** Reads pieces until `bytes` holds the whole next line from `at`. Returns its end, or -1 at the end of the file. */
  function findLineEnd(): number {
    let end = lines.bytes.indexOf(NEWLINE, at);
    while (end === -1) {
      const piece = nextPiece();
      if (piece === null) return findLastEnd();
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

  /** The end of the last line: old programs end a text with a mark, which is no part of it. */
  function findLastEnd(): number {
    const { bytes } = lines;
    if (at >= bytes.length) return -1;
    return bytes[bytes.length - 1] === END_MARK ? bytes.length - 1 : bytes.length;
  }

  const lines: TextLines = {
    bytes: new Uint8Array(0),
    start: 0,
    end: 0,
    number: 0,
    isEnded: true,
    next() {
      for (;;) {
        const end = findLineEnd();
        if (end === -1) return false;
        lines.isEnded = end < lines.bytes.length;
        lines.number++;
        lines.start = at;
        at = end + 1;
        lines.end = end;
        // Some programs write two returns, as they add one to those that are there.
        while (lines.end > lines.start && lines.bytes[lines.end - 1] === RETURN) lines.end--;
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
      const piece = new Uint8Array(Buffer.allocUnsafeSlow(pieceBytes).buffer);
      const length = readSync(file, piece, 0, pieceBytes, read);
      read += length;
      return length === 0 ? null : piece.subarray(0, length);
    } finally {
      closeSync(file);
    }
  };
}
