import {
  type CallToCount,
  type CountAnswer,
  type ReturnedCalls,
  writeWindows,
} from "@/lib/access/admission/counted-calls";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { GrantedCalls } from "@/lib/access/admission/granted-calls";
import { WINDOW_MS } from "@/lib/access/admission/minute-window";
import { localWindows, type Verdict, type Windows } from "@/lib/access/admission/windows";

/** The calls could not be counted: they must not be answered, because a limit may be used up. */
export class NotCounted extends Error {
  override readonly name = "NotCounted";
}

/** The process that counts for all others. Messages arrive there in their order. */
export interface RemoteCounter {
  /** Counts calls in their order. */
  count(calls: readonly CallToCount[]): Promise<readonly CountAnswer[]>;
  /** Gives a call back to its days. */
  release(keyId: string, credits: number, countedAtMs: number): void;
  /** Returns granted calls that were not made. */
  return(calls: ReturnedCalls): void;
}

/** How long a call waits for its count: the other process may have stopped. */
const DEADLINE_MS = 2_000;

interface WaitingCall {
  readonly key: KeyEntry;
  readonly credits: number | null;
  readonly decide: (verdict: Verdict) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Windows of a process whose calls another one counts, so that all of them together admit exactly the limit; see
 * call-counter.ts. Calls of one turn of the event loop share a message. The windows in memory hold the last answer.
 */
export class WriterWindows implements Windows {
  readonly #counter: RemoteCounter;
  readonly #deadlineMs: number;
  readonly #granted: GrantedCalls;
  #waiting: WaitingCall[] = [];

  /** @param deadlineMs shorter in tests */
  constructor(counter: RemoteCounter, deadlineMs = DEADLINE_MS) {
    this.#counter = counter;
    this.#deadlineMs = deadlineMs;
    this.#granted = new GrantedCalls((calls) => counter.return(calls));
  }

  count(key: KeyEntry, credits: number | null, nowMs: number): Verdict | Promise<Verdict> {
    if (this.#granted.take(key, credits, nowMs)) return "counted";
    const { minute, perMinute } = key;
    const ageMs = nowMs - minute.startedAtMs;
    // A full window stays full until it ends.
    if (minute.used >= perMinute && ageMs >= 0 && ageMs < WINDOW_MS) return "minute used up";
    return new Promise((decide, fail) => {
      this.#waiting.push({ key, credits, decide, fail });
      if (this.#waiting.length === 1) setImmediate(() => void this.#send());
    });
  }

  release(key: KeyEntry, credits: number, countedAtMs: number): void {
    localWindows.release(key, credits, countedAtMs);
    this.#counter.release(key.id, credits, countedAtMs);
  }

  /** Returns what is left of the calls that were granted for these keys. */
  recall(keyIds: readonly string[]): void {
    this.#granted.recall(keyIds);
  }

  async refresh(): Promise<void> {}

  status(): Readonly<Record<string, "ok" | "degraded">> {
    return {};
  }

  async start(): Promise<void> {
    this.#granted.start();
  }

  async stop(): Promise<void> {
    this.#granted.stop();
  }

  async #send(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    let isLate = false;
    const fail = (cause: unknown) => {
      isLate = true;
      const error = new NotCounted("The calls could not be counted", { cause });
      for (const call of calls) call.fail(error);
    };
    const deadline = setTimeout(fail, this.#deadlineMs, "no answer came in time");
    try {
      const answers = await this.#counter.count(calls.map(({ key, credits }) => [key.id, credits]));
      calls.forEach((call, index) => this.#apply(call, answers[index] as CountAnswer, isLate));
    } catch (error) {
      fail(error);
    } finally {
      clearTimeout(deadline);
    }
  }

  #apply({ key, credits, decide }: WaitingCall, answer: CountAnswer, isLate: boolean): void {
    writeWindows(key, answer);
    if (answer.granted > 0) this.#granted.add(key, answer.granted);
    if (!isLate) decide(answer.verdict);
    // The caller has an error already, and failed calls cost nothing.
    else if (answer.verdict === "counted" && credits !== null) this.release(key, credits, key.day.dayMs);
  }
}
