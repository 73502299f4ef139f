import { SpotlineError } from "./errors.js";
import type { ServerEvent } from "./event-parser.js";

/** A replay did not arrive as the server sent it: events are missing, or are others. */
export class ReplayError extends SpotlineError {
  override readonly name: string = "ReplayError";
}

/** How much of the past was sent, as the server tells it when the past is over. */
export interface ReplaySummary {
  /** Up to when everything was sent. */
  readonly time: string;
  /** Quotes, states, bars, releases and gaps. */
  readonly changes: number;
  /** The CRC-32 of the events, in hexadecimal digits. */
  readonly crc32: string;
}

const COUNTED: ReadonlySet<string> = new Set(["quote", "state", "bar", "release", "gap"]);

/** Counts what a connection sends of the past, and compares it with what the server says of it. */
export class ReplayCheck {
  #changes = 0;
  #crc = -1;

  /** Takes the next event. Returns the summary that it is and that was right; throws a ReplayError for another one. */
  take({ name, data, text }: ServerEvent): ReplaySummary | null {
    if (name === "replay") {
      this.#changes = 0;
      this.#crc = -1;
    } else if (name === "live" || name === "done") {
      const summary = JSON.parse(data) as ReplaySummary;
      const crc32 = ((this.#crc ^ -1) >>> 0).toString(16).padStart(8, "0");
      if (summary.changes === this.#changes && summary.crc32 === crc32) return summary;
      throw new ReplayError(
        `The server sent ${summary.changes} changes with the checksum ${summary.crc32}; ${this.#changes} with ${crc32} arrived.`,
      );
    } else if (name !== "heartbeat" && name !== "message") {
      if (COUNTED.has(name)) this.#changes++;
      this.#add(`${text}\n\n`);
    }
    return null;
  }

  /** Events are ASCII. */
  #add(text: string): void {
    let crc = this.#crc;
    for (let i = 0; i < text.length; i++) crc = (TABLE[(crc ^ text.charCodeAt(i)) & 255] as number) ^ (crc >>> 8);
    this.#crc = crc;
  }
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  return value;
});
