import { findFirst, type Tape } from "@/lib/history/tapes/tape";
import { SECOND_MS } from "@/lib/time/units";

/** The ticks of a source in the order of their receipt, and how far they were read. */
export interface TickCursor {
  readonly tape: Tape;
  at: number;
  /** When the next tick was received; Infinity after the last. */
  nextMs: number;
}

export function createTickCursor(tape: Tape): TickCursor {
  return { tape, at: 0, nextMs: tape.receivedMs[0] ?? Infinity };
}

/** Skips all ticks that were received before a moment. */
export function leap(cursor: TickCursor, untilMs: number): void {
  move(cursor, findFirst(cursor.tape.receivedMs, untilMs));
}

function move(cursor: TickCursor, at: number): void {
  cursor.at = at;
  cursor.nextMs = cursor.tape.receivedMs[at] ?? Infinity;
}

/** More ticks than are received within a second. */
const ORDER = 2 ** 24;

/** The ticks of a second in the order of their receipt; those of one millisecond in that of their symbols and sources. */
export class TickQueue<Cursor extends TickCursor> {
  #startMs = 0;
  #count = 0;
  #next = 0;
  /** The milliseconds, and the numbers of the ticks in the order in which they were found. */
  #keys = new Float64Array(1_024);
  readonly #cursors: Cursor[] = [];
  readonly #indexes: number[] = [];
  /** When the next tick was received; Infinity after the last. */
  nextMs = Infinity;

  /** Takes the ticks of a second, and what is left of earlier ones. */
  fill(cursors: readonly Cursor[], second: number): void {
    this.#startMs = second * SECOND_MS;
    this.#count = 0;
    this.#next = 0;
    const endMs = this.#startMs + SECOND_MS;
    for (const cursor of cursors) {
      while (cursor.nextMs < endMs) {
        this.#add(cursor, Math.max(0, cursor.nextMs - this.#startMs));
        move(cursor, cursor.at + 1);
      }
    }
    this.#keys.subarray(0, this.#count).sort();
    this.#find();
  }

  #add(cursor: Cursor, ms: number): void {
    const number = this.#count++;
    if (number === this.#keys.length) {
      const larger = new Float64Array(2 * number);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[number] = ms * ORDER + number;
    this.#cursors[number] = cursor;
    this.#indexes[number] = cursor.at;
  }

  /** The source of the next tick. */
  get cursor(): Cursor {
    return this.#cursors[this.#number] as Cursor;
  }

  /** Which of its ticks that is. */
  get at(): number {
    return this.#indexes[this.#number] as number;
  }

  get #number(): number {
    return (this.#keys[this.#next] as number) % ORDER;
  }

  advance(): void {
    this.#next++;
    this.#find();
  }

  #find(): void {
    this.nextMs =
      this.#next < this.#count ? this.#startMs + Math.floor((this.#keys[this.#next] as number) / ORDER) : Infinity;
  }
}
