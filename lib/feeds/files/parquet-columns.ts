import { closeSync, openSync, readSync } from "node:fs";
import * as zlib from "node:zlib";
import { crc32 } from "node:zlib";
import { parquetMetadata, parquetSchema, snappyUncompress } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit, readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import type {
  CompressionCodec,
  DataReader,
  DecodedArray,
  Encoding,
  FileMetaData,
  PageHeader,
  RowGroup,
  SchemaElement,
  Statistics,
} from "hyparquet/src/types.js";
import { unpackHadoopLz4, unpackLz4 } from "@/lib/feeds/files/lz4";
import { unpackZstd } from "@/lib/feeds/files/zstd";

/** Reads the values of one column row by row, with one page in memory. */
export class ColumnReader {
  readonly #path: string;
  readonly #column: Column;
  readonly #toNumber: ToNumber;
  readonly #chunks: readonly Chunk[];
  /** The index of the current chunk. */
  #at = -1;
  #pages: PageReader | null = null;
  /** Rows of the chunk that were not read yet. */
  #left = 0;
  #dictionary: DecodedArray | null = null;
  #dictionaryNumbers = new Float64Array(0);
  /** The rows of the page; NaN where there is no value. */
  #numbers = new Float64Array(0);
  #row = 0;
  /** The values of the page, only of text: for reports. */
  #texts: (Uint8Array | null)[] | null = null;

  /** Throws an Error that says why the column cannot be read. */
  constructor(path: string, column: Column, toNumber: ToNumber) {
    this.#path = path;
    this.#column = column;
    this.#toNumber = toNumber;
    this.#chunks = column.listChunks();
  }

  /** The value of the next row; NaN if it has none. Throws an Error if the file is damaged, or has no further row. */
  next(): number {
    while (this.#row === this.#numbers.length) this.#readPage();
    return this.#numbers[this.#row++] as number;
  }

  /** Passes over the next row. */
  skip(): void {
    while (this.#row === this.#numbers.length) this.#readPage();
    this.#row++;
  }

  /** The current value as text; null if the row has none. */
  describe(): string | null {
    const at = this.#row - 1;
    if (this.#texts !== null) {
      const text = this.#texts[at];
      return text == null ? null : new TextDecoder("latin1").decode(text.subarray(0, 40));
    }
    const value = this.#numbers[at] as number;
    return Number.isNaN(value) ? null : String(value);
  }

  #readPage(): void {
    try {
      while (this.#left === 0) this.#openChunk();
      const page = this.#pages?.next();
      if (page == null) throw new Error("rows are missing");
      this.#numbers = new Float64Array(0);
      this.#row = 0;
      if (page.header.type === "DICTIONARY_PAGE") this.#readDictionary(page);
      else if (page.header.type !== "INDEX_PAGE") this.#readRows(page);
    } catch (error) {
      const column = `its column "${this.#column.name}"`;
      const sentence =
        error instanceof PageNotRead
          ? `${column} ${error.message}`
          : `the file is damaged: ${column} cannot be read in row group ${this.#at + 1}`;
      throw new Error(sentence, { cause: error });
    }
  }

  #openChunk(): void {
    const chunk = this.#chunks[++this.#at];
    if (chunk === undefined) throw new Error("rows are missing");
    this.#pages = new PageReader(this.#path, chunk);
    this.#left = chunk.rows;
    this.#dictionary = null;
  }

  #readDictionary(page: Page): void {
    const values = decodeDictionary(page, this.#column.element, (this.#chunks[this.#at] as Chunk).codec);
    this.#dictionary = values;
    this.#dictionaryNumbers = Float64Array.from({ length: values.length }, (_, at) =>
      this.#toNumber(values[at] as Cell),
    );
  }

  #readRows(page: Page): void {
    const { codec } = this.#chunks[this.#at] as Chunk;
    const { element } = this.#column;
    const { present, values, isDictionary, rows } = decodePage(page, element, codec, this.#left);
    const dictionary = isDictionary ? this.#dictionary : null;
    if (isDictionary && dictionary === null) throw new Error("the dictionary is missing");
    const numbers = new Float64Array(rows);
    const texts: (Uint8Array | null)[] | null = element.type === "BYTE_ARRAY" ? new Array(rows).fill(null) : null;
    let at = 0;
    for (let row = 0; row < rows; row++) {
      if (present !== null && present[row] !== 1) {
        numbers[row] = NaN;
        continue;
      }
      const value = values[at++] as Cell;
      if (dictionary === null) numbers[row] = this.#toNumber(value);
      else if (!((value as number) < dictionary.length)) throw new Error("a place is not in the dictionary");
      else numbers[row] = this.#dictionaryNumbers[value as number] as number;
      if (texts !== null) texts[row] = (dictionary === null ? value : dictionary[value as number]) as Uint8Array;
    }
    this.#numbers = numbers;
    this.#texts = texts;
    this.#left -= rows;
  }
}

/**
 * Decodes pages of a column that holds one value a row. The library's functions for each encoding write into arrays of
 * fixed length here, so that a damaged length of a run cannot fill the memory.
 */

interface DecodedPage {
  /** Whether each row has a value; null if all have one. */
  readonly present: Uint8Array | null;
  /** The values of the rows that have one, or their places in the dictionary. */
  readonly values: DecodedArray;
  readonly isDictionary: boolean;
  readonly rows: number;
}

type Body = Pick<DecodedPage, "present" | "rows"> & { readonly reader: DataReader; readonly encoding: Encoding };

/** Decodes a page of data with at most `maxRows` rows. Throws an Error for a damaged one. */
function decodePage(page: Page, element: SchemaElement, codec: CompressionCodec, maxRows: number): DecodedPage {
  const rows = (page.header.data_page_header ?? page.header.data_page_header_v2)?.num_values ?? -1;
  if (!(rows >= 0 && rows <= maxRows)) throw new Error("a page has more rows than its row group");
  if (rows > Math.max(MAX_REPEATED_ROWS, page.header.uncompressed_page_size)) {
    throw new PageNotRead(
      "has a page of more than 4 million rows without values: write the file with smaller row groups",
    );
  }
  const isOptional = element.repetition_type !== "REQUIRED";
  const { present, reader, encoding } =
    page.header.type === "DATA_PAGE" ? openFirst(page, isOptional, codec, rows) : openSecond(page, codec, rows);
  const count = present === null ? rows : present.reduce((sum, each) => sum + (each === 1 ? 1 : 0), 0);
  const isDictionary = encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY";
  const values = isDictionary ? readPlaces(reader, count) : readValues(reader, encoding, element, count);
  return { present: count === rows ? null : present, values, isDictionary, rows };
}

/** Decodes a page with the values that pages of data refer to. */
function decodeDictionary({ header, bytes }: Page, element: SchemaElement, codec: CompressionCodec) {
  const page = unpack(codec, bytes, header.uncompressed_page_size);
  return readValues(read(page), "PLAIN", element, header.dictionary_page_header?.num_values ?? 0);
}

/** A page of the first version is packed as a whole. */
function openFirst({ header, bytes }: Page, isOptional: boolean, codec: CompressionCodec, rows: number): Body {
  const reader = read(unpack(codec, bytes, header.uncompressed_page_size));
  const present = isOptional ? new Uint8Array(rows) : null;
  const levels = header.data_page_header?.definition_level_encoding ?? "RLE";
  if (present !== null && levels !== "RLE") throw new PageNotRead(`has levels in ${levels}, which are not read`);
  if (present !== null) readRleBitPackedHybrid(reader, 1, present);
  return { present, rows, reader, encoding: header.data_page_header?.encoding ?? "PLAIN" };
}

/** In a page of the second version, only the values are packed. */
function openSecond({ header, bytes }: Page, codec: CompressionCodec, rows: number): Body {
  const second = header.data_page_header_v2;
  if (second === undefined) throw new Error(`a page is of the type ${header.type}`);
  const repetition = second.repetition_levels_byte_length;
  const definition = second.definition_levels_byte_length;
  const before = repetition + definition;
  if (!(repetition >= 0 && definition >= 0 && before <= bytes.length))
    throw new Error("a page is shorter than its levels");
  const present = definition > 0 ? new Uint8Array(rows) : null;
  if (present !== null) readRleBitPackedHybrid(read(bytes.slice(repetition, before)), 1, present, definition);
  const isPacked = second.is_compressed !== false;
  const values = bytes.subarray(before);
  const length = isPacked ? header.uncompressed_page_size - before : values.length;
  const reader = read(unpack(isPacked ? codec : "UNCOMPRESSED", values, length));
  return { present, rows, reader, encoding: second.encoding };
}

function read(bytes: Uint8Array): DataReader {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

/** Reads places in a dictionary. */
function readPlaces(reader: DataReader, count: number): Int32Array {
  const places = new Int32Array(count);
  const width = count === 0 ? 0 : reader.view.getUint8(reader.offset++);
  if (width > 31) throw new Error("places in the dictionary are too wide");
  if (width > 0) readRleBitPackedHybrid(reader, width, places, reader.view.byteLength - reader.offset);
  return places;
}

function readValues(reader: DataReader, encoding: Encoding, element: SchemaElement, count: number): DecodedArray {
  const { type = "INT32", type_length: length } = element;
  if (!(count >= 0 && count <= reader.view.byteLength * 8 + 1)) {
    // Values of a delta encoding may take less than a bit each, if they all have the same distance.
    if (encoding !== "DELTA_BINARY_PACKED") throw new Error("a page has more values than bits");
  }
  switch (encoding) {
    case "PLAIN":
      return readPlain(reader, type, count, length);
    case "BYTE_STREAM_SPLIT":
      return byteStreamSplit(reader, count, type, length);
    case "DELTA_BINARY_PACKED": {
      const values = type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, values);
      return values;
    }
    case "DELTA_LENGTH_BYTE_ARRAY":
    case "DELTA_BYTE_ARRAY": {
      const values: Uint8Array[] = new Array<Uint8Array>(count);
      const decode = encoding === "DELTA_BYTE_ARRAY" ? deltaByteArray : deltaLengthByteArray;
      decode(reader, count, values);
      return values;
    }
    default:
      throw new PageNotRead(`is encoded as ${encoding}, which is not read`);
  }
}

/** A page as it is in the file: its bytes are packed. */
interface Page {
  readonly header: PageHeader;
  readonly bytes: Uint8Array;
}

/** A page that is whole, but not read: a sentence that follows the name of its column. */
class PageNotRead extends Error {}

/** Larger than a header with the statistics of its page. */
const HEADER_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Writers make pages of about one megabyte, or one page of a row group. A larger one would take too much memory. */
const MAX_PAGE_BYTES = 256 * 1024 * 1024;
/** A few bytes can say that a value, or none, is repeated: a page of more rows has at least one byte for each. */
const MAX_REPEATED_ROWS = 4 * 1024 * 1024;
/** The rows for each byte of a file, beyond which its figures are no figures of a market. */
const MAX_ROWS_OF_BYTE = 64;

/** Reads the pages of a chunk in order, one at a time. */
class PageReader {
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

/** Unpacks a page of `length` bytes. Throws if it is damaged. */
type Unpack = (packed: Uint8Array, length: number) => Uint8Array;

const CODECS: Partial<Record<CompressionCodec, Unpack>> = {
  UNCOMPRESSED: (packed) => packed.slice(),
  SNAPPY(packed, length) {
    const page = new Uint8Array(length);
    snappyUncompress(packed, page);
    return page;
  },
  GZIP: (packed, length) => copy(zlib.gunzipSync(packed, { maxOutputLength: length })),
  ZSTD: unpackZstd,
  LZ4: unpackHadoopLz4,
  LZ4_RAW: unpackLz4,
  BROTLI: (packed, length) => copy(zlib.brotliDecompressSync(packed, { maxOutputLength: length })),
};

/** Small buffers of Node share memory: a page must end where its memory does, so that no value is read behind it. */
const copy = (bytes: Uint8Array) => new Uint8Array(bytes);

/** Why pages of a codec cannot be unpacked; null if they can be. */
function findCodecFault(codec: CompressionCodec): string | null {
  const isRead = CODECS[codec] !== undefined;
  return isRead ? null : `is compressed with ${codec}, which is not read: write the file with snappy, gzip or zstd`;
}

/** Unpacks a page into memory of its own. Throws if it is damaged. */
function unpack(codec: CompressionCodec, packed: Uint8Array, length: number): Uint8Array {
  const page = length === 0 ? new Uint8Array(0) : CODECS[codec]?.(packed, length);
  if (page?.length !== length) throw new Error(`a page has ${page?.length ?? 0} bytes in place of ${length}`);
  return page;
}

/** The metadata of a Parquet file: what it tells of the columns that hold one value a row. */

/** The values of one column in one row group. */
interface Chunk {
  readonly start: number;
  /** The first byte behind it. */
  readonly end: number;
  readonly codec: CompressionCodec;
  readonly rows: number;
  readonly statistics: Statistics | undefined;
}

export interface Column {
  readonly name: string;
  readonly element: SchemaElement;
  /** Whether it holds lists, maps or groups, which are not read. */
  readonly isNested: boolean;
  /** Lists the chunks of each row group. Throws an Error that says why they cannot be read. */
  listChunks(): Chunk[];
}

export interface Table {
  readonly rows: number;
  /** In the order of the schema. */
  readonly columns: readonly Column[];
  /** What the file says of itself, by key. */
  readonly about: ReadonlyMap<string, string>;
}

/** The length of the metadata and the magic word behind it. */
const TAIL_BYTES = 8;
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;
const DAMAGED = "the file is damaged or ends too early";

/** Reads bytes of a file. Throws an Error if it ends before. */
function readBytes(path: string, start: number, length: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(length);
    for (let read = 0; read < length;) {
      const count = readSync(file, bytes, read, length - read, start + read);
      if (count === 0) throw new Error(DAMAGED);
      read += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Reads the metadata. `bytes` is the file's size. Throws an Error that says why it cannot be read. */
export function readTable(path: string, bytes: number): Table {
  const metadata = readMetadata(path, bytes);
  try {
    const leaves = metadata.schema.filter(({ type }) => type !== undefined);
    const elements = parquetSchema(metadata).children.map(({ element }) => element);
    const columns = elements.map((element) => {
      const at = leaves.indexOf(element);
      const listChunks = () => metadata.row_groups.map((group) => toChunk(group, at, element.name, bytes));
      const isNested = element.type === undefined || element.repetition_type === "REPEATED";
      return { name: element.name, element, isNested, listChunks };
    });
    const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
    if (!(rows <= MAX_ROWS_OF_BYTE * bytes)) throw new Error(`${rows} rows`);
    const about = new Map((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ""]));
    return { rows, columns, about };
  } catch (error) {
    throw new Error(DAMAGED, { cause: error });
  }
}

function readMetadata(path: string, bytes: number): FileMetaData {
  if (bytes < TAIL_BYTES + 4) throw new Error(DAMAGED);
  const tail = readBytes(path, bytes - TAIL_BYTES, TAIL_BYTES);
  const word = String.fromCharCode(...tail.subarray(4));
  if (word === "PARE") throw new Error("the file is encrypted");
  const length = new DataView(tail.buffer).getUint32(0, true);
  if (word !== "PAR1" || length > Math.min(bytes - TAIL_BYTES - 4, MAX_FOOTER_BYTES)) throw new Error(DAMAGED);
  const footer = readBytes(path, bytes - TAIL_BYTES - length, length + TAIL_BYTES);
  try {
    return parquetMetadata(footer, { geoparquet: false });
  } catch (error) {
    throw new Error(DAMAGED, { cause: error });
  }
}

function toChunk(group: RowGroup, at: number, name: string, bytes: number): Chunk {
  const column = group.columns[at];
  const found = column?.meta_data;
  if (column === undefined || (found === undefined && column.crypto_metadata === undefined)) throw new Error(DAMAGED);
  if (found === undefined || column.crypto_metadata !== undefined) throw new Error(`its column "${name}" is encrypted`);
  if (column.file_path) throw new Error(`its column "${name}" is in another file: ${column.file_path}`);
  const fault = findCodecFault(found.codec);
  if (fault !== null) throw new Error(`its column "${name}" ${fault}`);
  const dictionary = Number(found.dictionary_page_offset ?? 0);
  const first = Number(found.data_page_offset);
  const start = dictionary > 0 ? Math.min(dictionary, first) : first;
  const end = start + Number(found.total_compressed_size);
  const rows = Number(group.num_rows);
  const isWhole = start > 0 && start <= end && end <= bytes && rows >= 0 && rows === Number(found.num_values);
  if (!isWhole) throw new Error(DAMAGED);
  return { start, end, codec: found.codec, rows, statistics: found.statistics };
}

/** How the values of a column become numbers. */

/** A value as Parquet stores it. */
export type Cell = bigint | number | Uint8Array;
/** NaN for a value that cannot be read. */
export type ToNumber = (cell: Cell) => number;
