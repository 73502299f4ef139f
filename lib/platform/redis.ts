import { createHash } from "node:crypto";
import { createClient } from "@redis/client";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { describeError } from "@/lib/text/describe-error";

/**
 * A connection to Redis with a deadline for replies. After one late or missing reply Redis counts as unreachable, and
 * callers must not use it. Probes in the background find out when it replies in time again.
 */
export interface Redis {
  readonly isReachable: boolean;
  /**
   * Runs a script atomically. Rejects when no reply comes before the deadline or Redis refuses. A later reply is passed
   * to `onLate`: the script has run, although the caller no longer waits.
   */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    onLate: (reply: unknown) => void,
  ): Promise<unknown>;
  /** Resolves once Redis is reachable, or after a second without it; never rejects. */
  start(): Promise<void>;
  /** Waits for replies to what was sent, until the deadline. */
  stop(): Promise<void>;
}

interface Script {
  readonly text: string;
  readonly sha1: string;
}

export function redisScript(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

interface Options {
  readonly url: string;
  readonly deadlineMs: number;
  readonly log: Logger;
  /** Called each time that Redis becomes reachable, including the first. */
  readonly onRecovery?: () => void;
}

const START_TIMEOUT_MS = 1_000;
const PROBE_PAUSE_MS = 200;
/** A connection without data for this long is given up, because a dead machine does not close its connections. */
const SILENCE_MS = 5_000;

/** Opens no connection before `start`. */
export function openRedis(options: Options): Redis {
  return new RedisConnection(options);
}

export function createRedisClient(url: string) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: "disabled",
    pingInterval: 1_000,
    socket: { connectTimeout: START_TIMEOUT_MS, socketTimeout: SILENCE_MS, reconnectStrategy: () => PROBE_PAUSE_MS },
  });
}

class RedisConnection implements Redis {
  readonly #client: ReturnType<typeof createRedisClient>;
  readonly #deadlineMs: number;
  readonly #log: Logger;
  readonly #onRecovery: () => void;
  readonly #probing = repeat(() => this.#probe(), {
    pauseMs: PROBE_PAUSE_MS,
    onFailure: (error) => (this.#lastError = error),
    onRecovery: () => {},
  });
  #isReachable = false;
  #stopped = false;
  #lastError: unknown = null;
  #openProbe: Promise<unknown> | null = null;

  constructor({ url, deadlineMs, log, onRecovery = () => {} }: Options) {
    this.#client = createRedisClient(url);
    this.#deadlineMs = deadlineMs;
    this.#log = log;
    this.#onRecovery = onRecovery;
    // Without a listener the first lost connection would end the process.
    this.#client.on("error", (error) => this.#markUnreachable(error));
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  async run(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    onLate: (reply: unknown) => void,
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.#send(["EVALSHA", script.sha1, ...rest], onLate);
    } catch (error) {
      if (!(error as Error).message.startsWith("NOSCRIPT")) {
        this.#markUnreachable(error);
        throw error;
      }
    }
    try {
      return await this.#send(["EVAL", script.text, ...rest], onLate);
    } catch (error) {
      this.#markUnreachable(error);
      throw error;
    }
  }

  async start(): Promise<void> {
    const connected = this.#client.connect().then(() => this.#probe());
    await Promise.race([connected.catch((error: unknown) => (this.#lastError = error)), pause(START_TIMEOUT_MS)]);
    // A process that starts may be too busy to read an answer in time. What has not failed gets a little longer.
    if (this.#lastError !== null) this.#reportMissing();
    else if (!this.#isReachable) setTimeout(() => this.#reportMissing(), SILENCE_MS).unref();
    this.#probing.start();
  }

  #reportMissing(): void {
    if (this.#isReachable || this.#stopped) return;
    this.#log.error(
      { err: this.#lastError },
      "Redis does not answer; limits are counted by this process alone until it does",
    );
  }

  async stop(): Promise<void> {
    const wasReachable = this.#isReachable;
    this.#stopped = true;
    this.#isReachable = false;
    this.#probing.stop();
    if (wasReachable) await Promise.race([this.#client.close().catch(() => {}), pause(this.#deadlineMs)]);
    if (this.#client.isOpen) this.#client.destroy();
  }

  #send(args: string[], onLate: (reply: unknown) => void): Promise<unknown> {
    return awaitReply(this.#client.sendCommand(args), this.#deadlineMs, onLate);
  }

  #markUnreachable(error: unknown): void {
    this.#lastError = error;
    if (this.#stopped || !this.#isReachable) return;
    this.#isReachable = false;
    this.#log.error({ err: error }, "Redis does not answer in time; limits are counted by this process alone");
  }

  /** Tries to write, which fails on a full Redis and on a replica. There is at most one open probe. */
  async #probe(): Promise<void> {
    if (this.#isReachable || this.#openProbe !== null || !this.#client.isReady) return;
    const reply = this.#client.sendCommand(["SET", "spotline:look", "1", "PX", "10000"]);
    this.#openProbe = reply.catch(() => {}).finally(() => (this.#openProbe = null));
    const sentAtMs = performance.now();
    await reply;
    if (this.#stopped || this.#isReachable || performance.now() - sentAtMs > this.#deadlineMs) return;
    this.#isReachable = true;
    this.#log.info("Redis answers; limits are shared");
    this.#onRecovery();
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/**
 * Resolves with the reply of a command, or rejects if none comes before the deadline. A reply that comes after that is
 * passed to `onLate`.
 */
function awaitReply(reply: Promise<unknown>, deadlineMs: number, onLate: (reply: unknown) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let expired = false;
    let settled = false;
    const timer = setTimeout(() => {
      // After a pause of this process, replies may already wait in the socket: they are read first.
      setImmediate(() => {
        if (settled) return;
        expired = true;
        reject(new Error(`no answer within ${deadlineMs} ms`));
      });
    }, deadlineMs);
    reply.then(
      (value) => {
        settled = true;
        clearTimeout(timer);
        if (expired) onLate(value);
        else resolve(value);
      },
      (error: unknown) => {
        settled = true;
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(describeError(error)));
      },
    );
  });
}
