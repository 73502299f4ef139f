import type { DayWindow } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import {
  BUSY_MS,
  GRANTED_SHARE,
  LEAST_GRANTED,
  LEAST_LEFT,
  resizeGrant,
  type Verdict,
  type Windows,
} from "@/lib/access/admission/windows";
import type { Clock } from "@/lib/platform/timing/clock";

/** A process that counts calls over this one. */
export interface CountingReader {
  /** Requests what is left of the calls granted for these keys. Resolves once it was returned, or the process has ended. */
  recall(keyIds: readonly string[]): Promise<void>;
}

interface Options {
  readonly directory: Pick<Directory, "key" | "refresh">;
  readonly windows: Pick<Windows, "count">;
  readonly now: Clock;
}

interface Grant {
  readonly key: KeyEntry;
  calls: number;
  /** The size of the next grant. */
  size: number;
  askedAtMs: number;
}

/**
 * Counts the calls of several processes together, so that they admit exactly the limit. A busy key that is far from its
 * limits is granted calls that its process counts alone, because a message for each call would cost more than the call.
 * They count as made until they are returned, and before a call is refused, they are recalled from all processes.
 */
export class CallCounter {
  readonly #options: Options;
  readonly #grants = new Map<CountingReader, Map<string, Grant>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Counts calls in their order. A key that is not known yet is read first. Rejects if there is no such key. */
  async count(calls: readonly CallToCount[], reader: CountingReader): Promise<CountAnswer[]> {
    const { directory } = this.#options;
    if (calls.some(([keyId]) => directory.key(keyId) === undefined)) await directory.refresh();
    const keys = calls.map(([keyId]) => this.#findKey(keyId));
    const answers = await Promise.all(
      calls.map(([, credits], index) => this.#decide(keys[index] as KeyEntry, credits)),
    );
    const last = new Map(keys.map((key, index) => [key, index]));
    return keys.map((key, index) => {
      const verdict = answers[index] as Verdict;
      // The last answer of a key has what is granted, so that it is applied once.
      const granted = verdict === "counted" && last.get(key) === index ? this.#grant(key, reader) : 0;
      return toAnswer(key, verdict, granted);
    });
  }

  /** Counts granted calls no more that were not made, in the windows in which they were granted. */
  onReturn(returned: ReturnedCalls, reader: CountingReader): void {
    const { keyId, unused, minuteOnly, minuteStartedAtMs, dayMs, credits } = returned;
    const grants = this.#grants.get(reader);
    const grant = grants?.get(keyId);
    if (grant === undefined || grant.calls === 0) return;
    grant.size = resizeGrant(grant.calls, unused);
    grant.calls = 0;
    const { minute, day, ownDay } = grant.key;
    if (minute.startedAtMs === minuteStartedAtMs) minute.used = Math.max(0, minute.used - unused);
    for (const window of ownDay === null ? [day] : [ownDay, day]) {
      if (window.dayMs === dayMs) addToDay(window, -unused - minuteOnly, credits);
    }
  }

  /** What a process was granted when it ended counts as made: nobody knows better. */
  forget(reader: CountingReader): void {
    this.#grants.delete(reader);
  }

  async #decide(key: KeyEntry, credits: number | null): Promise<Verdict> {
    const { windows, now } = this.#options;
    const verdict = await windows.count(key, credits, now());
    if (verdict === "counted" || !(await this.#recall(key))) return verdict;
    if (verdict === "minute used up") return windows.count(key, credits, now());
    // The minute has counted this call, so only the days count it again.
    key.minute.used = Math.max(0, key.minute.used - 1);
    return windows.count(key, credits, now());
  }

  /** Recalls what may be left of the windows of a key. Returns false if nothing was granted. */
  async #recall(key: KeyEntry): Promise<boolean> {
    const recalls: Promise<void>[] = [];
    for (const [reader, grants] of this.#grants) {
      const open = [...grants.values()].filter((grant) => grant.calls > 0 && grant.key.day === key.day);
      if (open.length > 0) recalls.push(reader.recall(open.map((grant) => grant.key.id)));
    }
    await Promise.all(recalls);
    return recalls.length > 0;
  }

  #grant(key: KeyEntry, reader: CountingReader): number {
    const grants = this.#grants.get(reader) ?? new Map<string, Grant>();
    this.#grants.set(reader, grants);
    const grant = grants.get(key.id) ?? { key, calls: 0, size: LEAST_GRANTED, askedAtMs: -Infinity };
    grants.set(key.id, grant);
    const nowMs = this.#options.now();
    const isBusy = Math.abs(nowMs - grant.askedAtMs) < BUSY_MS;
    grant.askedAtMs = nowMs;
    const { minute, day, ownDay, perMinute, perDay, ownPerDay } = key;
    const ownLeft = ownDay === null ? Infinity : ownPerDay - ownDay.used;
    const left = Math.min(perMinute - minute.used, perDay - day.used, ownLeft);
    if (!isBusy || left < LEAST_LEFT || grant.calls > 0 || grant.key !== key) return 0;
    const calls = Math.min(grant.size, Math.floor(left / GRANTED_SHARE));
    grant.calls = calls;
    minute.used += calls;
    for (const window of ownDay === null ? [day] : [ownDay, day]) addToDay(window, calls, 0);
    return calls;
  }

  #findKey(id: string): KeyEntry {
    const key = this.#options.directory.key(id);
    if (key === undefined) throw new Error(`There is no key ${id}`);
    return key;
  }
}

function addToDay(window: DayWindow, calls: number, credits: number): void {
  window.used = Math.max(0, window.used + calls);
  window.credits += credits;
}

/** What a process that counts calls for others receives and answers. All are on one machine, so their clocks agree. */

/** A call by its key; null credits as for `Windows.count`. */
export type CallToCount = readonly [keyId: string, credits: number | null];

/** A verdict, and the windows of the key after the call: the minute, the account's day, and the key's own day. */
export interface CountAnswer {
  readonly verdict: Verdict;
  readonly minute: readonly [startedAtMs: number, used: number];
  readonly day: DayNumbers;
  readonly ownDay: DayNumbers | null;
  /** Further calls of this key that the process may count alone. They are counted in the windows already. */
  readonly granted: number;
}

/** A null start stands for a day without a call. */
type DayNumbers = readonly [dayMs: number | null, used: number, credits: number];

/** What is left of granted calls, which are counted no more. */
export interface ReturnedCalls {
  readonly keyId: string;
  /** The windows in which they were granted. */
  readonly minuteStartedAtMs: number;
  readonly dayMs: number;
  /** Calls that were not made, and of those that were made the ones that the days do not count. */
  readonly unused: number;
  readonly minuteOnly: number;
  /** The cost of those that the days count. */
  readonly credits: number;
}

function toAnswer({ minute, day, ownDay }: KeyEntry, verdict: Verdict, granted: number): CountAnswer {
  return {
    verdict,
    minute: [minute.startedAtMs, minute.used],
    day: toNumbers(day),
    ownDay: ownDay === null ? null : toNumbers(ownDay),
    granted,
  };
}

function toNumbers({ dayMs, used, credits }: DayWindow): DayNumbers {
  // JSON has no infinity.
  return [Number.isFinite(dayMs) ? dayMs : null, used, credits];
}

/** Writes the windows of an answer into those of this process, from which the headers of answers are written. */
export function writeWindows(key: KeyEntry, { minute, day, ownDay, granted }: CountAnswer): void {
  key.minute.startedAtMs = minute[0];
  key.minute.used = minute[1] - granted;
  writeDay(key.day, day, granted);
  if (key.ownDay !== null && ownDay !== null) writeDay(key.ownDay, ownDay, granted);
}

function writeDay(window: DayWindow, [dayMs, used, credits]: DayNumbers, granted: number): void {
  window.dayMs = dayMs ?? -Infinity;
  window.used = used - granted;
  window.credits = credits;
}
