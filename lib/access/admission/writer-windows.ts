import {
  type CallToCount,
  type CountAnswer,
  type ReturnedCalls,
  writeWindows,
} from "@/lib/access/admission/call-counter";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { WINDOW_MS } from "@/lib/access/admission/minute-window";
import { localWindows, RETURN_EVERY_MS, type Verdict, type Windows } from "@/lib/access/admission/windows";
import { DAY_MS } from "@/lib/time/units";

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

interface OpenGrant {
  readonly key: KeyEntry;
  readonly minuteStartedAtMs: number;
  readonly dayMs: number;
  left: number;
  minuteOnly: number;
  credits: number;
}

/** The calls that this process may count alone, by key. */
class GrantedCalls {
  readonly #return: (calls: ReturnedCalls) => void;
  readonly #grants = new Map<KeyEntry, OpenGrant>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onReturn: (calls: ReturnedCalls) => void) {
    this.#return = onReturn;
  }

  start(): void {
    this.#timer = setInterval(() => this.#returnAll(), RETURN_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#returnAll();
  }

  /** Adds calls to the windows of a key, which hold the answer that granted them. */
  add(key: KeyEntry, calls: number): void {
    this.#giveBack(key);
    const { minute, day } = key;
    const windows = { minuteStartedAtMs: minute.startedAtMs, dayMs: day.dayMs };
    this.#grants.set(key, { key, ...windows, left: calls, minuteOnly: 0, credits: 0 });
  }

  /** Counts a call; false if none is left in the current minute and day. */
  take(key: KeyEntry, credits: number | null, nowMs: number): boolean {
    const grant = this.#grants.get(key);
    if (grant === undefined) return false;
    const ageMs = nowMs - grant.minuteStartedAtMs;
    const isOver = ageMs < 0 || ageMs >= WINDOW_MS || nowMs - grant.dayMs >= DAY_MS;
    if (grant.left === 0 || isOver) {
      this.#giveBack(key);
      return false;
    }
    grant.left--;
    key.minute.used++;
    if (credits === null) {
      grant.minuteOnly++;
      return true;
    }
    grant.credits += credits;
    key.day.used++;
    key.day.credits += credits;
    if (key.ownDay !== null) {
      key.ownDay.used++;
      key.ownDay.credits += credits;
    }
    return true;
  }

  recall(keyIds: readonly string[]): void {
    for (const key of this.#grants.keys()) if (keyIds.includes(key.id)) this.#giveBack(key);
  }

  #returnAll(): void {
    for (const key of this.#grants.keys()) this.#giveBack(key);
  }

  #giveBack(key: KeyEntry): void {
    const grant = this.#grants.get(key);
    if (grant === undefined) return;
    this.#grants.delete(key);
    const { minuteStartedAtMs, dayMs, left: unused, minuteOnly, credits } = grant;
    this.#return({ keyId: key.id, minuteStartedAtMs, dayMs, unused, minuteOnly, credits });
  }
}
