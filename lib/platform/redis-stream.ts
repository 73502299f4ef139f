import { inBackground } from "@/lib/platform/faults";
import type { Logger } from "@/lib/platform/log/log";
import { createRedisClient } from "@/lib/platform/redis";

interface Options {
  readonly url: string;
  readonly log: Logger;
}

/** An entry of a stream, and when Redis received it, by its own clock: UTC milliseconds. */
type OnEntry = (text: string, receivedAtMs: number) => void;

type Reply = readonly (readonly [
  name: string,
  entries: readonly (readonly [id: string, fields: readonly string[]])[],
])[];

/** A blocked read returns after this time, so that a connection without data is known to be dead. */
const BLOCK_MS = 1_000;
const RETRY_MS = 100;
const MAX_ENTRIES = 1_000;

/** Streams of Redis, over one connection for what is added and one for what is read. Each survives the end of Redis. */
export class RedisStreams {
  readonly #log: Logger;
  readonly #adding: ReturnType<typeof createRedisClient>;
  readonly #reading: ReturnType<typeof createRedisClient>;
  #isStopped = false;
  #isCut = false;

  constructor({ url, log }: Options) {
    this.#log = log;
    this.#adding = createRedisClient(url);
    this.#reading = createRedisClient(url);
    // Without a listener the first lost connection would end the process.
    for (const client of [this.#adding, this.#reading]) client.on("error", (error) => this.#noteCut(error));
  }

  /** Connects in the background. */
  start(): void {
    for (const client of [this.#adding, this.#reading]) void client.connect().catch(() => {});
  }

  stop(): void {
    this.#isStopped = true;
    for (const client of [this.#adding, this.#reading]) if (client.isOpen) client.destroy();
  }

  /** Adds an entry, and removes the oldest above about `maxLength`. What cannot be added now is lost. */
  add(stream: string, text: string, maxLength: number): void {
    if (!this.#adding.isReady) return;
    const args = ["XADD", stream, "MAXLEN", "~", String(maxLength), "*", "m", text];
    this.#adding.sendCommand(args).catch((error: unknown) => this.#noteCut(error));
  }

  /**
   * Calls `onEntry` with every entry that is added from now on. After a lost connection it continues with the entries that
   * Redis still has; those of a Redis that was emptied begin anew.
   */
  follow(stream: string, onEntry: OnEntry): void {
    inBackground(this.#follow(stream, onEntry), this.#log, "following a stream of Redis");
  }

  async #follow(stream: string, onEntry: OnEntry): Promise<void> {
    let lastId: string | null = null;
    let wasCut = false;
    while (!this.#isStopped) {
      // It is not at fault while it connects. Where it cannot, the client reports it.
      if (!this.#reading.isReady) {
        wasCut = true;
        await pause();
        continue;
      }
      try {
        if (lastId === null || wasCut) lastId = findStart(lastId, await this.#readLastId(stream));
        wasCut = false;
        const args = ["XREAD", "COUNT", String(MAX_ENTRIES), "BLOCK", String(BLOCK_MS), "STREAMS", stream, lastId];
        const reply = (await this.#reading.sendCommand(args)) as unknown as Reply | null;
        this.#noteAnswer();
        for (const [id, [, text = ""]] of reply?.[0]?.[1] ?? []) {
          lastId = id;
          onEntry(text, readTimeMs(id));
        }
      } catch (error) {
        this.#noteCut(error);
        wasCut = true;
        await pause();
      }
    }
  }

  async #readLastId(stream: string): Promise<string> {
    const args = ["XREVRANGE", stream, "+", "-", "COUNT", "1"];
    const [last] = (await this.#reading.sendCommand(args)) as unknown as [id: string][];
    return last?.[0] ?? "0-0";
  }

  #noteCut(error: unknown): void {
    if (this.#isCut || this.#isStopped) return;
    this.#isCut = true;
    this.#log.error({ err: error }, "Redis does not answer; changes do not reach other machines");
  }

  #noteAnswer(): void {
    if (this.#isCut) this.#log.info("Redis answers; changes reach other machines");
    this.#isCut = false;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());

/** The id of an entry: when Redis received it, and its number within that millisecond. */
const readTimeMs = (id: string) => Number(id.split("-", 1)[0]);
const readNumber = (id: string) => Number(id.split("-")[1]);

/** The id after which to read: the last one that was read, unless Redis has none of that time any more. */
function findStart(lastReadId: string | null, newestId: string): string {
  if (lastReadId === null) return newestId;
  const [aheadMs, ahead] = [
    readTimeMs(lastReadId) - readTimeMs(newestId),
    readNumber(lastReadId) - readNumber(newestId),
  ];
  return aheadMs > 0 || (aheadMs === 0 && ahead > 0) ? newestId : lastReadId;
}
