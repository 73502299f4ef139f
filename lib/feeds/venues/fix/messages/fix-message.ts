import { TAG } from "@/lib/feeds/venues/fix/messages/tags";

const MAX_TEXT_LENGTH = 300;

/**
 * The fields of one message, in their order, from MsgType (35) to the last before CheckSum (10). A value becomes a string
 * only when it is read. A reader uses one object for all messages, so what must outlive the next message is copied.
 */
export class FixMessage {
  /** Like `FIX.4.4`. */
  beginString = "";
  /** Whether a field has no number, although the checksum is right. Such a field has the tag 0. */
  isMalformed = false;
  count = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #type = "";
  readonly #tags: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  get type(): string {
    if (this.#type === "") this.#type = this.valueAt(0);
    return this.#type;
  }

  /** In bytes. */
  get size(): number {
    return (this.#ends[this.count - 1] ?? 0) - (this.#starts[0] ?? 0);
  }

  /** MsgSeqNum; NaN if there is none. */
  get number(): number {
    return this.readInteger(TAG.msgSeqNum);
  }

  get isPossibleDuplicate(): boolean {
    return this.get(TAG.possDupFlag) === "Y";
  }

  /** For a reader: begins a new message in these bytes. */
  begin(bytes: Buffer, beginString: string): void {
    this.#bytes = bytes;
    this.beginString = beginString;
    this.isMalformed = false;
    this.count = 0;
    this.#type = "";
  }

  /** For a reader: adds a field whose value has these bytes. */
  add(tag: number, start: number, end: number): void {
    this.#tags[this.count] = tag;
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.count++;
  }

  tagAt(index: number): number {
    return this.#tags[index] ?? 0;
  }

  valueAt(index: number): string {
    return this.#bytes.toString("latin1", this.#starts[index], this.#ends[index]);
  }

  /** Returns the index of the first field with this tag from one index up to another; `to` if there is none. */
  find(tag: number, from = 0, to = this.count): number {
    for (let index = from; index < to; index++) if (this.#tags[index] === tag) return index;
    return to;
  }

  /** Returns the value of the first field with this tag; undefined if there is none. */
  get(tag: number, from = 0, to = this.count): string | undefined {
    const index = this.find(tag, from, to);
    return index === to ? undefined : this.valueAt(index);
  }

  /** Returns a whole number of at least 0; NaN if the field is missing or something else. */
  readInteger(tag: number): number {
    const text = this.get(tag);
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  }

  /** Returns a text for people, which may have any characters of UTF-8, up to a line. Empty if the field is missing. */
  readText(tag: number): string {
    return Buffer.from(this.get(tag) ?? "", "latin1")
      .toString()
      .slice(0, MAX_TEXT_LENGTH);
  }

  copy(): FixMessage {
    const copy = new FixMessage();
    const first = this.#starts[0] ?? 0;
    copy.begin(Buffer.from(this.#bytes.subarray(first, this.#ends[this.count - 1])), this.beginString);
    copy.isMalformed = this.isMalformed;
    for (let index = 0; index < this.count; index++) {
      copy.add(this.tagAt(index), (this.#starts[index] ?? 0) - first, (this.#ends[index] ?? 0) - first);
    }
    return copy;
  }
}
