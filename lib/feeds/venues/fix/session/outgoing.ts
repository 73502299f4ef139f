import { formatFixTime } from "@/lib/feeds/venues/fix/messages/fix-time";
import { TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import { type FixField, writeMessage } from "@/lib/feeds/venues/fix/messages/write-message";
import type { Clock } from "@/lib/platform/timing/clock";

/** Who talks to whom. */
export interface Parties {
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** Empty if the venue needs none. */
  readonly senderSubId: string;
  readonly targetSubId: string;
}

/** The outgoing half of a session: numbers and sends messages. */
export class Outgoing {
  /** When the last message was sent, UTC milliseconds. */
  sentAtMs: number;
  /** The number of the next message. */
  nextNumber = 1;
  readonly #parties: Parties;
  readonly #now: Clock;
  readonly #write: (bytes: Buffer) => void;

  constructor(parties: Parties, now: Clock, write: (bytes: Buffer) => void) {
    this.#parties = parties;
    this.#now = now;
    this.#write = write;
    this.sentAtMs = now();
  }

  /** Sends a message and returns its number. */
  send(type: string, fields: readonly FixField[]): number {
    const number = this.nextNumber++;
    this.#write(writeMessage([...this.#listHeader(type, number), ...fields]));
    return number;
  }

  /** Sends that the messages from one number to another, both included, are not sent again. */
  fillGap(first: number, last: number): void {
    const duplicate: readonly FixField[] = [
      [TAG.possDupFlag, "Y"],
      [TAG.origSendingTime, formatFixTime(this.#now())],
    ];
    const fields: readonly FixField[] = [
      [TAG.newSeqNo, last + 1],
      [TAG.gapFillFlag, "Y"],
    ];
    this.#write(writeMessage([...this.#listHeader(TYPE.sequenceReset, first), ...duplicate, ...fields]));
  }

  #listHeader(type: string, number: number): FixField[] {
    this.sentAtMs = this.#now();
    const { senderCompId, targetCompId, senderSubId, targetSubId } = this.#parties;
    const header: readonly FixField[] = [
      [TAG.msgType, type],
      [TAG.senderCompId, senderCompId],
      [TAG.targetCompId, targetCompId],
      [TAG.msgSeqNum, number],
      [TAG.senderSubId, senderSubId],
      [TAG.targetSubId, targetSubId],
      [TAG.sendingTime, formatFixTime(this.sentAtMs)],
    ];
    return header.filter(([, value]) => value !== "");
  }
}
