import { createHash } from "node:crypto";
import { createClient } from "@redis/client";
import type { Logger } from "@/lib/platform/log";
import { repeat } from "@/lib/platform/repeat";

/**
 * A Redis that is asked under a deadline, and left alone while it does not keep to it. The first answer that comes too
 * late, or not at all, makes it unreachable for everybody; from then on it is looked for in the background, and asked
 * again once it answers in time.
 */
export interface Redis {
  /** Whether it is worth asking. */
  readonly isReachable: boolean;
  /**
   * Runs a script, whole or not at all. Rejects when there is no answer within the deadline or Redis refuses. An
   * answer that comes after that is given to `onLate`: the script has run, although nobody waits for it any more.
   */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    onLate: (reply: unknown) => void,
  ): Promise<unknown>;
  /** Resolves when it is reachable, or when it was not within a second; rejects never. */
  start(): Promise<void>;
  /** Lets what was sent be answered, within the deadline. */
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
  /** Called each time it can be reached again, and the first time. */
  readonly onRecovery?: () => void;
}

const START_TIMEOUT_MS = 1_000;
const PROBE_PAUSE_MS = 200;
/** A connection on which nothing came for so long is given up, since a dead machine does not close its own. */
const SILENCE_MS = 5_000;

export function openRedis({ url, deadlineMs, log, onRecovery = () => {} }: Options): Redis {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: "disabled",
    pingInterval: 1_000,
    socket: { connectTimeout: START_TIMEOUT_MS, socketTimeout: SILENCE_MS, reconnectStrategy: () => PROBE_PAUSE_MS },
  });
  let isReachable = false;
  let stopped = false;
  let lastError: unknown = null;
  // Without a listener the first lost connection would end the process.
  client.on("error", lose);

  function lose(error: unknown): void {
    lastError = error;
    if (stopped || !isReachable) return;
    isReachable = false;
    log.error({ err: error }, "Redis does not answer in time; limits are counted by this process alone");
  }

  /** Sends a command and holds it to the deadline. */
  function ask(args: readonly string[], onLate: (reply: unknown) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let expired = false;
      let settled = false;
      const timer = setTimeout(() => {
        // A pause of this process is not Redis's: what has come in meanwhile is read before anything is judged.
        setImmediate(() => {
          if (settled) return;
          expired = true;
          reject(new Error(`no answer within ${deadlineMs} ms`));
        });
      }, deadlineMs);
      client.sendCommand([...args]).then(
        (reply) => {
          settled = true;
          clearTimeout(timer);
          if (expired) onLate(reply);
          else resolve(reply);
        },
        (error: unknown) => {
          settled = true;
          clearTimeout(timer);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  let looking: Promise<unknown> | null = null;

  /**
   * Asks once whether it is there and takes what it is given, which a full one or a replica does not. While the last
   * question is open, there is no use in another.
   */
  async function look(): Promise<void> {
    if (isReachable || looking !== null || !client.isReady) return;
    const question = client.sendCommand(["SET", "spotline:look", "1", "PX", "10000"]);
    looking = question.catch(() => {}).finally(() => (looking = null));
    const askedAtMs = performance.now();
    await question;
    if (stopped || isReachable || performance.now() - askedAtMs > deadlineMs) return;
    isReachable = true;
    log.info("Redis answers; limits are shared");
    onRecovery();
  }

  const watching = repeat(look, {
    pauseMs: PROBE_PAUSE_MS,
    onFailure: (error) => (lastError = error),
    onRecovery: () => {},
  });

  return {
    get isReachable() {
      return isReachable;
    },
    async run(script, keys, args, onLate) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await ask(["EVALSHA", script.sha1, ...rest], onLate);
      } catch (error) {
        if (!(error as Error).message.startsWith("NOSCRIPT")) {
          lose(error);
          throw error;
        }
      }
      try {
        return await ask(["EVAL", script.text, ...rest], onLate);
      } catch (error) {
        lose(error);
        throw error;
      }
    },
    async start() {
      const connected = client.connect().then(look);
      await Promise.race([connected.catch((error: unknown) => (lastError = error)), pause(START_TIMEOUT_MS)]);
      if (!isReachable)
        log.error({ err: lastError }, "Redis does not answer; limits are counted by this process alone until it does");
      watching.start();
    },
    async stop() {
      const wasReachable = isReachable;
      stopped = true;
      isReachable = false;
      watching.stop();
      if (wasReachable) await Promise.race([client.close().catch(() => {}), pause(deadlineMs)]);
      if (client.isOpen) client.destroy();
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
