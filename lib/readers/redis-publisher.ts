import type { RedisStreams } from "@/lib/platform/redis-stream";
import { monotonicClock } from "@/lib/platform/timing/clock";
import type { Changes, ServerStatus, Snapshot } from "@/lib/readers/messages";
import type { Publisher } from "@/lib/readers/publisher";

interface Options {
  readonly streams: Pick<RedisStreams, "add" | "follow">;
  readonly publisher: Pick<Publisher, "add" | "remove">;
  /** The number under which this server records; null while another one does. */
  readonly readFence: () => number | null;
}

/** Without a request for this long there are no readers. */
const WANTED_MS = 10_000;
/** Snapshots go to all readers, so those that request one within this time share it. */
const SNAPSHOT_EVERY_MS = 250;
/** A minute at most, and much longer in quiet hours. A reader that lacks more needs a snapshot. */
const MAX_LENGTH = 6_000;

/** Publishes the changes of this server over Redis, while it records and has readers on other machines. */
export class RedisPublisher {
  readonly #options: Options;
  #wantedUntilMs = -Infinity;
  #isAdded = false;
  #isSnapshotDue = false;
  #snapshotAtMs = -Infinity;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#options.streams.follow(REQUESTS_STREAM, (text) => this.#onRequest(JSON.parse(text) as ReaderRequest));
  }

  publishStatus(status: ServerStatus): void {
    if (this.#isAdded) this.#send({ type: "status", status });
  }

  /** Call it when this server begins to record: readers of the one before get a snapshot without requesting it. */
  onRecording(): void {
    if (monotonicClock() < this.#wantedUntilMs) this.#requestSnapshot();
  }

  #onRequest({ wantsSnapshot }: ReaderRequest): void {
    this.#wantedUntilMs = monotonicClock() + WANTED_MS;
    if (wantsSnapshot || !this.#isAdded) this.#requestSnapshot();
  }

  /** One snapshot answers all requests that arrive before it is taken. */
  #requestSnapshot(): void {
    if (this.#options.readFence() === null) return;
    this.#isAdded = true;
    if (this.#isSnapshotDue) return;
    this.#isSnapshotDue = true;
    const waitMs = Math.max(0, this.#snapshotAtMs + SNAPSHOT_EVERY_MS - monotonicClock());
    setTimeout(() => void this.#sendSnapshot(), waitMs).unref();
  }

  async #sendSnapshot(): Promise<void> {
    try {
      await this.#options.publisher.add(this.#onChanges);
    } finally {
      this.#snapshotAtMs = monotonicClock();
      this.#isSnapshotDue = false;
    }
  }

  readonly #onChanges = (message: Snapshot | Changes): void => {
    if (this.#options.readFence() !== null && monotonicClock() < this.#wantedUntilMs) {
      this.#send(message);
      return;
    }
    this.#options.publisher.remove(this.#onChanges);
    this.#isAdded = false;
  };

  #send(message: PublishedMessage["message"]): void {
    const { streams, readFence } = this.#options;
    const fence = readFence();
    if (fence === null) return;
    const published: PublishedMessage = { fence, message };
    streams.add(CHANGES_STREAM, JSON.stringify(published), MAX_LENGTH);
  }
}

/** What writers and readers on other machines exchange over Redis. */

/** The changes, and what a writer answers. It is shared by all readers. */
export const CHANGES_STREAM = "spotline:changes";
/** What readers request. */
export const REQUESTS_STREAM = "spotline:reader-requests";

/** Readers request this often, so that a writer without readers publishes nothing. */
export const REQUEST_EVERY_MS = 1_000;

export interface ReaderRequest {
  readonly wantsSnapshot: boolean;
}

export interface PublishedMessage {
  /** The number under which the writer records. Each writer that takes over has a higher one. */
  readonly fence: number;
  readonly message: Snapshot | Changes | { readonly type: "status"; readonly status: ServerStatus };
}
