import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Call } from "@/lib/api/engine/call";
import type { ApiError } from "@/lib/api/engine/errors";
import { parsePastPosition } from "@/lib/api/stream/past-writer";
import { type PriceChanges, readSecond, type SymbolSet } from "@/lib/api/stream/price-changes";
import type { Replay } from "@/lib/api/stream/replay";
import type { StreamFormat, StreamReader } from "@/lib/api/stream/stream-format";
import type { StreamOptions } from "@/lib/api/stream/stream-options";
import { SECOND_MS } from "@/lib/time/units";

/** Who opened a stream, and what its key allowed then. */
export interface StreamOwner {
  readonly key: KeyEntry;
  readonly call: Call;
}

/** How long a connection may take none of the bytes that wait for it. */
export const MAX_STUCK_MS = 20_000;

/** One reader, its symbols and its position. At most one snapshot or one change of each symbol waits for it. */
export class PriceStream {
  readonly owner: StreamOwner;
  /** The symbols that the key could read when the stream was opened. */
  readonly permitted: string;
  /** Until when the stream is paid, in milliseconds of a clock that is never set; see price-streams.ts. */
  paidUntilMs: number;
  isPaying = false;
  readonly #changes: PriceChanges;
  readonly #onClose: (stream: PriceStream) => void;
  #set: SymbolSet;
  #at = 0;
  #reader: StreamReader | null = null;
  #isClosed = false;
  #stuckSinceMs: number | null = null;
  /** Whether changes may be skipped, because the reader did not take those before. */
  #isLate = false;
  /** The range that the stream begins with; null once it is live. */
  #replay: Replay | null;
  #isReplaying = false;
  #takenAt = 0;

  constructor(
    owner: StreamOwner,
    {
      changes,
      set,
      replay,
      paidUntilMs,
      onClose,
    }: StreamStart & { readonly changes: PriceChanges; readonly set: SymbolSet },
  ) {
    this.owner = owner;
    this.permitted = describePermitted(owner.key);
    this.paidUntilMs = paidUntilMs;
    this.#changes = changes;
    this.#set = set;
    this.#replay = replay;
    this.#onClose = onClose;
  }

  /** Whether it is of the past. */
  get isPast(): boolean {
    return this.#replay !== null;
  }

  /** Whether the symbols are fixed, because they are replayed. */
  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  get symbols(): readonly { readonly symbol: string }[] {
    return this.#set.served;
  }

  get options(): StreamOptions {
    return this.#set.options;
  }

  /** Begins to send: what has changed since `position`, or everything if it is not known. */
  open(reader: StreamReader, position: string | null): void {
    if (this.#isClosed) return reader.destroy();
    this.#reader = reader;
    this.#continue(position);
  }

  /** Sends nothing until `choose`. */
  attach(reader: StreamReader): void {
    if (this.#isClosed) return reader.destroy();
    this.#reader = reader;
    this.#at = this.#changes.last;
  }

  /** Replaces the symbols, and sends like `open`. The caller has checked them. */
  choose(symbols: readonly string[], position: string | null): void {
    this.#set = this.#changes.select(symbols, this.options);
    this.#continue(position);
  }

  #continue(position: string | null): void {
    if (this.#replay !== null) return this.#beginReplay(this.#replay, position);
    const at = position === null ? null : this.#changes.parsePosition(this.#set, position);
    this.#at = at ?? this.#changes.last;
    if (at === null) {
      this.#write((format, place) => format.snapshot(this.#set, place));
      this.#sendGapsSince(position);
    } else if (this.#at < this.#changes.last) {
      this.#isLate = true;
      this.#sendChanges();
    }
  }

  /** A position of before a restart, or of another process, has the time that its reader knows. */
  #sendGapsSince(position: string | null): void {
    const second = position === null ? null : readSecond(this.#set, position);
    if (second === null) return;
    const none = { quotes: [], states: [], bars: [], releases: [] };
    const gaps = this.#set.listGapsAfter(second * SECOND_MS);
    this.#write((format, place) => format.update({ ...none, gaps }, this.#set.options, place));
  }

  #beginReplay(replay: Replay, position: string | null): void {
    const [changes, set, reader] = [this.#changes, this.#set, this.#reader];
    if (reader === null) return;
    if (position !== null && changes.parsePosition(set, position) !== null) {
      this.#replay = null;
      return this.#continue(position);
    }
    this.#isReplaying = true;
    replay.start({
      ...{ changes, set, reader },
      after: position === null ? null : readMoment(set, position),
      onLive: (at) => {
        this.#replay = null;
        this.#isReplaying = false;
        this.#at = at;
      },
      onDone: () => {
        reader.finish();
        this.close();
      },
      onFailure: (reason) => this.end(reason, FAILED_RETRY_MS),
    });
  }

  /** Sends what has changed, unless earlier bytes still wait. Closes a connection that takes nothing for too long. */
  flush(nowMs: number, maxStuckMs: number): void {
    const reader = this.#reader;
    if (reader === null || this.#isClosed) return;
    const replay = this.#replay;
    replay?.onRound();
    if (reader.countWaiting() > 0) {
      if (replay !== null && replay.taken !== this.#takenAt) this.#stuckSinceMs = null;
      this.#takenAt = replay?.taken ?? 0;
      this.#stuckSinceMs ??= nowMs;
      this.#isLate = true;
      if (nowMs - this.#stuckSinceMs >= maxStuckMs) {
        reader.destroy();
        this.close();
      }
      return;
    }
    this.#stuckSinceMs = null;
    if (replay === null && this.#at < this.#changes.last) this.#sendChanges();
  }

  #sendChanges(): void {
    const from = this.#at;
    if (this.#isLate) this.#tellSkipped(from);
    this.#at = this.#changes.last;
    const format = this.#reader?.format;
    const before = format && this.#set.written.get(format);
    if (before !== undefined && before.from === from && before.to === this.#at) {
      if (before.bytes.length > 0) this.#reader?.write(before.bytes);
      return;
    }
    const bytes = this.#write((each, position) => each.changes(this.#set, from, position));
    if (format !== undefined) this.#changes.keepWritten(this.#set, format, { from, to: this.#at, bytes });
  }

  #tellSkipped(from: number): void {
    this.#isLate = false;
    const skipped = this.#changes.countSkipped(this.#set, from);
    const reader = this.#reader;
    if (skipped.changes > 0) reader?.write(Buffer.from(reader.format.skipped(skipped), "latin1"));
  }

  #write(format: (format: StreamFormat, position: string) => string | null): Buffer {
    const reader = this.#reader;
    if (reader === null || this.#isClosed) return NOTHING;
    const text = format(reader.format, this.#changes.formatPosition(this.#set, this.#at));
    if (text === null) return NOTHING;
    const bytes = Buffer.from(text, "latin1");
    reader.write(bytes);
    return bytes;
  }

  /** Sends bytes that are not prices, unless others wait. */
  sendBeside(select: (format: StreamFormat) => Buffer): void {
    if (this.#replay !== null) return this.#replay.beat();
    if (this.#reader !== null && this.#reader.countWaiting() === 0) this.#reader.write(select(this.#reader.format));
  }

  end(reason: ApiError, retryMs: number): void {
    if (this.#isClosed) return;
    this.#reader?.end(reason, retryMs);
    this.close();
  }

  /** To be called when the connection has closed. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reader = null;
    this.#replay?.stop();
    this.#onClose(this);
  }
}

/** Everything that was received before it was sent, UTC milliseconds; null for a position of other symbols or options. */
function readMoment(set: SymbolSet, position: string): number | null {
  const second = readSecond(set, position);
  return parsePastPosition(position, set.mark) ?? (second === null ? null : second * SECOND_MS);
}

const NOTHING = Buffer.alloc(0);

const FAILED_RETRY_MS = 5_000;

interface StreamStart {
  readonly replay: Replay | null;
  readonly paidUntilMs: number;
  readonly onClose: (stream: PriceStream) => void;
}

/** Describes the symbols that a key may read; changes when the key does. */
export function describePermitted({ symbols }: KeyEntry): string {
  return symbols === null ? "all" : symbols.names.join(",");
}
