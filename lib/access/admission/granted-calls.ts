import type { ReturnedCalls } from "@/lib/access/admission/counted-calls";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { RETURN_EVERY_MS } from "@/lib/access/admission/grant-size";
import { WINDOW_MS } from "@/lib/access/admission/minute-window";
import { DAY_MS } from "@/lib/time/units";

interface Grant {
  readonly key: KeyEntry;
  readonly minuteStartedAtMs: number;
  readonly dayMs: number;
  left: number;
  minuteOnly: number;
  credits: number;
}

/** The calls that this process may count alone, by key. */
export class GrantedCalls {
  readonly #return: (calls: ReturnedCalls) => void;
  readonly #grants = new Map<KeyEntry, Grant>();
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
