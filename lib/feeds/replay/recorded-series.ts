/** One file of recorded ticks in any format. Listing does not open files. */
export interface RecordedFile {
  readonly path: string;
  /** Every tick in the file is before this moment: UTC milliseconds, Infinity if only the rows contain it. */
  endMs(zone: string | undefined): number;
  /** `zone` is the IANA zone of the file's times; without one, the format's own. Throws if the file cannot be read. */
  open(zone: string | undefined): TickRows;
}

/** Reads a file's ticks in order. Its fields are those of the current tick. */
export interface TickRows {
  /** UTC milliseconds. */
  timeMs: number;
  bid: number;
  ask: number;
  /** Malformed rows so far, without blank lines and a heading. */
  malformed: number;
  /** Moves to the next well-formed row; false at the end. Throws if the file is damaged. */
  next(): boolean;
}

/** All recorded files of one symbol at one broker, oldest first. */
export interface RecordedSeries {
  /** The symbol's folder name, unchanged. */
  readonly source: string;
  /** The symbol's folder name, unchanged. */
  readonly brokerSymbol: string;
  readonly files: readonly RecordedFile[];
}
