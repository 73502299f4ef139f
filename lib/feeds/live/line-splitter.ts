import { StringDecoder } from "node:string_decoder";

/** No venue's line comes near. */
const MAX_LINE_LENGTH = 16 * 1_024 * 1_024;

/** Splits the bytes of a stream into lines. Chunks may begin and end anywhere, also within a character. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  /** Returns the lines that are complete now, without their ends and without empty ones. Throws if one is too long. */
  split(chunk: string | Buffer): string[] {
    const text = this.#rest + (typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    const lines = text.split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE_LENGTH) throw new Error(`a line has more than ${MAX_LINE_LENGTH} characters`);
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)).filter((line) => line !== "");
  }
}
