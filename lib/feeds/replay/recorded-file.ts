/** One file of recorded ticks, whatever its format. Listing opens none. */
export interface RecordedFile {
  readonly path: string;
  /** No tick in it is as late as this moment: UTC milliseconds, Infinity where only the rows would tell. */
  endMs(zone: string | undefined): number;
  /** `zone` is the IANA zone its times are in; without one, the format's own usual zone. Throws what cannot be read. */
  open(zone: string | undefined): TickRows;
}

/** Reads a file's ticks one after the other. Its fields are those of the current one. */
export interface TickRows {
  /** UTC milliseconds. */
  timeMs: number;
  bid: number;
  ask: number;
  /** Rows so far that made no sense. Blank lines and a heading are not counted. */
  malformed: number;
  /** Moves to the next well-formed row; false at the end. Throws where the file is damaged. */
  next(): boolean;
}

/** All recorded files of one symbol at one broker, oldest first. */
export interface RecordedSeries {
  /** The broker's folder name: the source of its ticks. */
  readonly source: string;
  /** The symbol's folder name, as it stands. */
  readonly brokerSymbol: string;
  readonly files: readonly RecordedFile[];
}
