import type { DecodedArray } from "hyparquet/src/types.js";
import type { Cell, ToNumber } from "@/lib/feeds/files/parquet/cell-types";
import { decodeDictionary, decodePage } from "@/lib/feeds/files/parquet/decode-page";
import { type Page, PageNotRead, PageReader } from "@/lib/feeds/files/parquet/pages";
import type { Chunk, Column } from "@/lib/feeds/files/parquet/read-table";

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
