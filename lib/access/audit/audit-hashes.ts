import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Pool } from "pg";
import type { AuditKey } from "@/lib/access/audit/audit-keys";
import { AUDIT_HASHES_FILE } from "@/lib/platform/data-folder";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

/**
 * A copy of the hashes of the audit log in a file, one line per event: its number and its hash. The file is outside the
 * database, so events that are rewritten there, with all later hashes, no longer agree with it.
 */

export interface EventHash {
  readonly seq: number;
  readonly hash: string;
}

interface Options {
  readonly pool: Pool;
  readonly dataDir: string;
  /** The keys that events may have, by their ids. */
  readonly keys: ReadonlyMap<string, AuditKey>;
  readonly log: Logger;
}

const LINE = /^([1-9]\d*) ([\da-f]{64})$/;
const PAUSE_MS = 2 * SECOND_MS;
const EVENTS_PER_READ = 1_000;

/** Reads the copied hashes in the order of their events. Without a copy there are none. */
export async function* readAuditHashes(dataDir: string): AsyncGenerator<EventHash> {
  const lines = createInterface({ input: createReadStream(join(dataDir, AUDIT_HASHES_FILE)), crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      const [, seq, hash] = LINE.exec(line) ?? [];
      // A crash can leave an incomplete line, and the event is copied again after it.
      if (hash !== undefined) yield { seq: Number(seq), hash };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Copies the hash of every new event, now and every two seconds. */
export class AuditHashes {
  readonly #options: Options;
  readonly #copying: ReturnType<typeof repeat>;
  #lastSeq = 0;
  /** The ids of other keys that were reported. */
  readonly #reported = new Set<string>();

  constructor(options: Options) {
    const { log } = options;
    this.#options = options;
    this.#copying = repeat(() => this.copy(), {
      pauseMs: PAUSE_MS,
      onFailure: (error) => log.error({ err: error }, "copying the hashes of the audit log failed; it is retried"),
      onRecovery: () => log.info("the hashes of the audit log are copied again"),
    });
  }

  async start(): Promise<void> {
    for await (const { seq } of readAuditHashes(this.#options.dataDir)) this.#lastSeq = seq;
    this.#copying.start();
  }

  stop(): void {
    this.#copying.stop();
  }

  /** Copies the events since the last call. */
  async copy(): Promise<void> {
    const { pool, dataDir, log } = this.#options;
    for (;;) {
      const { rows } = await pool.query<EventHash & { hashKey: string | null }>(
        `SELECT seq::float8 AS seq, hash, hash_key AS "hashKey" FROM audit_event WHERE seq > $1 ORDER BY seq LIMIT $2`,
        [this.#lastSeq, EVENTS_PER_READ],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      await append(dataDir, rows);
      this.#lastSeq = last.seq;
      for (const { seq, hashKey } of rows) if (hashKey !== null) this.#reportOtherKey(seq, hashKey);
      // Logs are often shipped to another machine, where this line is one more copy.
      log.info({ seq: last.seq, hash: last.hash }, "audit log recorded up to this event");
      if (rows.length < EVENTS_PER_READ) return;
    }
  }

  /** Another program has another secret, such as a command with other settings; or somebody wrote to the table. */
  #reportOtherKey(seq: number, hashKey: string): void {
    if (this.#options.keys.has(hashKey) || this.#reported.has(hashKey)) return;
    this.#reported.add(hashKey);
    this.#options.log.warn({ seq, key: hashKey }, "the audit log has an event under another secret than this server's");
  }
}

async function append(dataDir: string, events: readonly EventHash[]): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = await open(join(dataDir, AUDIT_HASHES_FILE), "a", 0o600);
  try {
    // The line break in front ends a line that a crash left incomplete.
    await file.appendFile(`\n${events.map(({ seq, hash }) => `${seq} ${hash}`).join("\n")}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}
