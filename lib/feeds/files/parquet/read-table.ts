import { closeSync, openSync, readSync } from "node:fs";
import { parquetMetadata, parquetSchema } from "hyparquet";
import type { CompressionCodec, FileMetaData, RowGroup, SchemaElement, Statistics } from "hyparquet/src/types.js";
import { findCodecFault } from "@/lib/feeds/files/parquet/codecs";

/** The metadata of a Parquet file: what it tells of the columns that hold one value a row. */

/** The values of one column in one row group. */
export interface Chunk {
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
  /** Of each row group. Throws an Error that says why they cannot be read. */
  listChunks(): Chunk[];
}

export interface Table {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** The length of the metadata and the magic word behind it. */
const TAIL_BYTES = 8;
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;
const DAMAGED = "the file is damaged or ends too early";

/** Reads bytes of a file. Throws an Error if it ends before. */
export function readBytes(path: string, start: number, length: number): Uint8Array {
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
    const columns = parquetSchema(metadata)
      .children.map(({ element }) => element)
      .filter((element) => element.type !== undefined && element.repetition_type !== "REPEATED")
      .map((element) => {
        const at = leaves.indexOf(element);
        const listChunks = () => metadata.row_groups.map((group) => toChunk(group, at, element.name, bytes));
        return { name: element.name, element, listChunks };
      });
    return { rows: metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0), columns };
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
