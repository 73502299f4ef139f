import type { RecordingProblem } from "@/lib/feeds/replay/recorded-series";
import type { Logger } from "@/lib/platform/log/log";

/** Counts and logs the recorded files that could not be played in full. */
export class ReplayProblems {
  readonly #log: Logger;
  readonly #reported = new Set<string>();
  #malformedRows = 0;
  #damagedFiles = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get counts() {
    return { malformedRows: this.#malformedRows, damagedFiles: this.#damagedFiles };
  }

  /** Returns a description of the problem; null for a file reported before, which a repeated recording reads again. */
  report({ source, path, malformedRows, error }: RecordingProblem): string | null {
    if (this.#reported.has(path)) return null;
    this.#reported.add(path);
    this.#malformedRows += malformedRows;
    if (error !== null) this.#damagedFiles++;
    this.#log.warn({ source, path, malformedRows, err: error }, "A recorded file could not be played in full");
    return error === null
      ? `${path}: ${malformedRows} malformed rows`
      : `${path}: ${error.message}; the rest of it is skipped`;
  }
}
