import { closeSync, openSync, readSync } from "node:fs";
import { Gunzip, Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { type NextPiece, readPieces } from "@/lib/feeds/replay/text-lines";

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
