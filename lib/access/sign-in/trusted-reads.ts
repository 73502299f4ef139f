import { setTimeout as pause } from "node:timers/promises";
import type { Directory } from "@/lib/access/admission/directory";
import { countChanges, MAX_UNCONFIRMED_MS } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database/database";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly now: Clock;
  readonly directory: Pick<Directory, "revision">;
  /** How long to wait for the database where the answer of a moment ago is known. */
  readonly lateMs?: number;
}

interface Trusted {
  readonly value: unknown;
  readonly readAtMs: number;
  readonly changes: string;
}

const LATE_MS = SECOND_MS / 2;
const MAX_TRUSTED = 10_000;
const LATE = Symbol("late");

/**
 * What was read last about the people who are signed in. While the database cannot be read, or is late, it is their
 * answer for two minutes. Any change of accounts, keys or sessions that this process has made or seen ends all of it.
 */
export class TrustedReads {
  readonly #known = new Map<string, Trusted>();

  constructor(
    private readonly database: Database,
    private readonly options: Options,
  ) {}

  /**
   * Resolves with what `read` does, or with its last answer under this name. Null is not remembered. Rejects as `read`
   * does if there is no answer that is still valid.
   */
  async read<Value>(name: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const { lateMs = LATE_MS } = this.options;
    const reading = this.#readAndRemember(name, read);
    try {
      const first = await Promise.race([reading, pause(lateMs, LATE, { ref: false })]);
      if (first !== LATE) return first;
      return this.#find<Value>(name) ?? (await reading);
    } catch (error) {
      const known = isDatabaseUnavailable(error) ? this.#find<Value>(name) : null;
      if (known === null) throw error;
      return known;
    }
  }

  async #readAndRemember<Value>(name: string, read: () => Promise<Value | null>): Promise<Value | null> {
    // Before the read, which may miss a change that comes meanwhile.
    const changes = this.#describeChanges();
    const value = await read();
    this.#known.delete(name);
    if (this.#known.size >= MAX_TRUSTED) this.#known.clear();
    if (value !== null) this.#known.set(name, { value, changes, readAtMs: this.options.now() });
    return value;
  }

  #find<Value>(name: string): Value | null {
    const known = this.#known.get(name);
    if (known === undefined || known.changes !== this.#describeChanges()) return null;
    const ageMs = this.options.now() - known.readAtMs;
    return ageMs >= 0 && ageMs <= MAX_UNCONFIRMED_MS ? (known.value as Value) : null;
  }

  #describeChanges(): string {
    return `${this.options.directory.revision} ${countChanges(this.database)}`;
  }
}
