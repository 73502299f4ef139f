import { crc32 } from "node:zlib";
import { parquetHeader } from "hyparquet/src/column.js";
import type { PageHeader } from "hyparquet/src/types.js";
import { type Chunk, readBytes } from "@/lib/feeds/files/parquet/read-table";

/** A page as it is in the file: its bytes are packed. */
export interface Page {
  readonly header: PageHeader;
  readonly bytes: Uint8Array;
}

/** A page that is whole, but not read: a sentence that follows the name of its column. */
export class PageNotRead extends Error {}

/** Larger than a header with the statistics of its page. */
const HEADER_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Writers make pages of about one megabyte, or one page of a row group. A larger one would take too much memory. */
const MAX_PAGE_BYTES = 256 * 1024 * 1024;

/** Reads the pages of a chunk in order, one at a time. */
export class PageReader {
  readonly #path: string;
  readonly #chunk: Chunk;
  #position: number;
  #piece = new Uint8Array(0);
  #pieceStart = 0;

  constructor(path: string, chunk: Chunk) {
    this.#path = path;
    this.#chunk = chunk;
    this.#position = chunk.start;
  }

  /** Null at the end of the chunk. Throws an Error for a damaged page. */
  next(): Page | null {
    const left = this.#chunk.end - this.#position;
    if (left <= 0) return null;
    const head = this.#peek(Math.min(left, HEADER_BYTES));
    const reader = { view: new DataView(head.buffer, head.byteOffset, head.byteLength), offset: 0 };
    const header = parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
    if (!(packed >= 0 && unpacked >= 0 && reader.offset + packed <= left)) throw new Error("a page has no such size");
    if (Math.max(packed, unpacked) > MAX_PAGE_BYTES) {
      throw new PageNotRead("has a page of more than 256 MB: write the file with smaller row groups");
    }
    this.#position += reader.offset;
    const bytes = this.#peek(packed).subarray(0, packed);
    this.#position += packed;
    if (header.crc !== undefined && crc32(bytes) !== header.crc >>> 0) throw new Error("a page has another checksum");
    return { header, bytes };
  }

  /** The bytes from the current position on, at least `length`. */
  #peek(length: number): Uint8Array {
    const at = this.#position - this.#pieceStart;
    if (at + length <= this.#piece.length) return this.#piece.subarray(at);
    const count = Math.min(this.#chunk.end - this.#position, Math.max(length, PIECE_BYTES));
    this.#piece = readBytes(this.#path, this.#position, count) as Uint8Array<ArrayBuffer>;
    this.#pieceStart = this.#position;
    return this.#piece;
  }
}
