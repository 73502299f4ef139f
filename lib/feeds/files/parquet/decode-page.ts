import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit, readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import type { CompressionCodec, DataReader, DecodedArray, Encoding, SchemaElement } from "hyparquet/src/types.js";
import { unpack } from "@/lib/feeds/files/parquet/codecs";
import { type Page, PageNotRead } from "@/lib/feeds/files/parquet/pages";

/**
 * Decodes pages of a column that holds one value a row. The library's functions for each encoding write into arrays of
 * fixed length here, so that a damaged length of a run cannot fill the memory.
 */

export interface DecodedPage {
  /** Of each row, whether it has a value; null if all have one. */
  readonly present: Uint8Array | null;
  /** The values of the rows that have one, or their places in the dictionary. */
  readonly values: DecodedArray;
  readonly isDictionary: boolean;
  readonly rows: number;
}

type Body = Pick<DecodedPage, "present" | "rows"> & { readonly reader: DataReader; readonly encoding: Encoding };

/** Decodes a page of data with at most `maxRows` rows. Throws an Error for a damaged one. */
export function decodePage(page: Page, element: SchemaElement, codec: CompressionCodec, maxRows: number): DecodedPage {
  const rows = (page.header.data_page_header ?? page.header.data_page_header_v2)?.num_values ?? -1;
  if (!(rows >= 0 && rows <= maxRows)) throw new Error("a page has more rows than its row group");
  const isOptional = element.repetition_type !== "REQUIRED";
  const { present, reader, encoding } =
    page.header.type === "DATA_PAGE" ? openFirst(page, isOptional, codec, rows) : openSecond(page, codec, rows);
  const count = present === null ? rows : present.reduce((sum, each) => sum + (each === 1 ? 1 : 0), 0);
  const isDictionary = encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY";
  const values = isDictionary ? readPlaces(reader, count) : readValues(reader, encoding, element, count);
  return { present: count === rows ? null : present, values, isDictionary, rows };
}

/** Decodes a page with the values that pages of data refer to. */
export function decodeDictionary({ header, bytes }: Page, element: SchemaElement, codec: CompressionCodec) {
  const page = unpack(codec, bytes, header.uncompressed_page_size);
  return readValues(read(page), "PLAIN", element, header.dictionary_page_header?.num_values ?? 0);
}

/** A page of the first version is packed as a whole. */
function openFirst({ header, bytes }: Page, isOptional: boolean, codec: CompressionCodec, rows: number): Body {
  const reader = read(unpack(codec, bytes, header.uncompressed_page_size));
  const present = isOptional ? new Uint8Array(rows) : null;
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
