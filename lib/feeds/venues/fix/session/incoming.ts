import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { SECOND_MS } from "@/lib/time/units";

/** More than comes in some seconds; a venue that never fills a gap must not fill the memory. */
const MAX_HELD_MESSAGES = 10_000;
const MAX_HELD_BYTES = 16 * 1_024 * 1_024;
/** A gap that the venue does not fill for this long ends the connection. */
const GAP_MS = 10 * SECOND_MS;

/** The incoming half of a session: the number of the next message, and the messages that wait for missing ones. */
export class Incoming {
  expected = 1;
  readonly #held = new Map<number, FixMessage>();
  #heldBytes = 0;
  /** The highest number that has come; 0 without a gap. */
  #gapEnd = 0;
  /** The first number of the last ResendRequest. */
  #requestedFrom = 0;
  #gapAtMs = 0;

  /** Holds a message whose number is too high. Returns whether the missing ones have to be requested. */
  hold(number: number, message: FixMessage, nowMs: number): boolean {
    this.#release(number);
    this.#heldBytes += message.size;
    this.#held.set(number, message.copy());
    if (this.#held.size > MAX_HELD_MESSAGES || this.#heldBytes > MAX_HELD_BYTES) {
      throw new Error("too many messages wait for a missing one");
    }
    return this.openGap(number, message.isPossibleDuplicate, nowMs);
  }

  /** Notes that a message with a number above the expected one has come. Returns whether to request the missing ones. */
  openGap(number: number, isResent: boolean, nowMs: number): boolean {
    if (this.#gapEnd === 0) this.#gapAtMs = nowMs;
    this.#gapEnd = Math.max(this.#gapEnd, number);
    // A message that is sent again and leaves one out again shows that the first request was not enough.
    const isNew = this.#requestedFrom === 0 || (isResent && this.#requestedFrom !== this.expected);
    if (isNew) this.#requestedFrom = this.expected;
    return isNew;
  }

  /** Counts the expected message. */
  advance(): void {
    this.#moveTo(this.expected + 1);
  }

  /** Returns the expected message if it was held. It is held no longer. */
  takeNext(): FixMessage | undefined {
    return this.#held.size === 0 ? undefined : this.#release(this.expected);
  }

  /**
   * Continues at a higher number: the venue sends nothing again that is lower. Returns the held messages below it, in
   * order, and whether others are lost.
   */
  skipTo(number: number): { readonly held: readonly FixMessage[]; readonly isLossy: boolean } {
    const numbers = [...this.#held.keys()].filter((each) => each < number).sort((a, b) => a - b);
    const held = numbers.flatMap((each) => this.#release(each) ?? []);
    const isLossy = number - this.expected > held.length;
    this.#moveTo(number);
    return { held, isLossy };
  }

  /** Begins a new numbering. Held messages are of the old one. */
  restart(expected: number): void {
    this.#held.clear();
    this.#heldBytes = 0;
    this.#gapEnd = 0;
    this.#moveTo(expected);
  }

  /** Whether missing messages were requested long ago. */
  isOverdue(nowMs: number): boolean {
    return this.#gapEnd !== 0 && nowMs - this.#gapAtMs >= GAP_MS;
  }

  #release(number: number): FixMessage | undefined {
    const message = this.#held.get(number);
    if (message === undefined) return undefined;
    this.#held.delete(number);
    this.#heldBytes -= message.size;
    return message;
  }

  #moveTo(number: number): void {
    this.expected = number;
    if (number <= this.#gapEnd) return;
    this.#gapEnd = 0;
    this.#requestedFrom = 0;
  }
}
