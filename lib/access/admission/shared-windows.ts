import { release, reserve, startOfDay } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { admit, windowMs } from "@/lib/access/admission/minute-window";
import { countScript } from "@/lib/access/admission/shared-script";
import type { Clock } from "@/lib/platform/clock";
import type { Redis } from "@/lib/platform/redis";
import { DAY_MS } from "@/lib/time/units";

/**
 * Minute windows and days that several processes share through Redis, so that together they admit exactly the limit.
 * The windows of the directory then hold what Redis said last, which is what headers show; and what this process has
 * counted by itself, while Redis was out of reach, is told it when it is back. Out of reach, each process counts on
 * from what it knew: a limit is passed at most once for each process, and nobody waits.
 */
export interface SharedWindows {
  readonly isReachable: boolean;
  /**
   * Counts a call in the minute window of its key and, for what it costs, in its day; says which of them is used up.
   * A call that will be refused anyway, told by null credits, is not counted in the day. At once where that is known
   * here or Redis is out of reach, else after one round trip, which all calls of the moment share.
   */
  count(key: KeyEntry, credits: number | null): Verdict | Promise<Verdict>;
  /** Gives the day back a call that was counted at `countedAtMs` and turned out not to count. */
  release(key: KeyEntry, credits: number, countedAtMs: number): void;
  /** Asks what all processes have counted for these keys; resolves at once where Redis is out of reach. */
  look(keys: readonly KeyEntry[]): Promise<void>;
  /** Tells Redis what was counted here while it was out of reach. */
  settle(): void;
}

export type Verdict = "counted" | "minute used up" | "day used up";

interface Entry {
  readonly key: KeyEntry;
  /** Whether it is a call to count, rather than only what is owed to settle. */
  readonly isCall: boolean;
  /** What the day counts it for; null where it does not. */
  readonly credits: number | null;
  readonly decide: (verdict: Verdict) => void;
}

/** An entry as it was sent: what Redis was told with it, and of which windows. */
interface Sent extends Entry {
  readonly dayWindow: KeyEntry["day"];
  readonly minuteStartedAtMs: number;
  readonly dayMs: number;
  readonly minuteOwed: number;
  readonly dayOwed: number;
  readonly dayOwedCredits: number;
}

const mostTogether = 100;
/** Windows that began within this of each other are the same one, as seen from two clocks. */
const toleranceMs = 1_000;

export function createSharedWindows(redis: Pick<Redis, "isReachable" | "run">, now: Clock): SharedWindows {
  let waiting: Entry[] = [];
  /** Keys whose windows hold calls that Redis has not been told. */
  const owing = new Set<KeyEntry>();

  function enqueue(entry: Entry): void {
    waiting.push(entry);
    if (waiting.length === 1) setImmediate(send);
    if (waiting.length >= mostTogether) send();
  }

  function send(): void {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    const nowMs = now();
    const keys: string[] = [];
    const args: string[] = [];
    const sent = entries.map((entry) => prepare(entry, nowMs, keys, args));
    redis
      .run(countScript, keys, args, (reply) => correct(sent, reply as number[]))
      .then(
        (reply) => hear(sent, reply as number[]),
        () => countAlone(sent),
      );
  }

  /** What is owed goes with the first entry that needs the window. */
  function prepare(entry: Entry, nowMs: number, keys: string[], args: string[]): Sent {
    const { key } = entry;
    const { minute, day: dayWindow } = key;
    const ageMs = nowMs - minute.startedAtMs;
    const isOpen = ageMs >= 0 && ageMs < windowMs - toleranceMs;
    const dayMs = startOfDay(nowMs);
    const isToday = dayWindow.dayMs === dayMs;
    const minuteOwed = isOpen ? minute.owed : 0;
    const [dayOwed, dayOwedCredits] = isToday ? [dayWindow.owed, dayWindow.owedCredits] : [0, 0];
    minute.owed = 0;
    if (isToday) dayWindow.owed = dayWindow.owedCredits = 0;
    const kind = dayWindow === key.account.days.tool ? "tool" : "standard";
    keys.push(`spotline:minute:${key.id}`, `spotline:day:${key.accountId}:${kind}:${dayMs / DAY_MS}`);
    const [minuteKnown, minuteId, leftMs] = isOpen ? [minute.used - minuteOwed, minute.sharedId, windowMs - ageMs] : [];
    args.push(...words(entry.isCall ? key.perMinute : -1, 0, minuteKnown, 0, minuteId, minuteOwed, 0, leftMs));
    const { used, credits, sharedId } = isToday ? dayWindow : nothingKnown;
    const dayKnown = [used - dayOwed, credits - dayOwedCredits, sharedId];
    args.push(
      ...words(entry.credits === null ? -1 : key.perDay, entry.credits ?? 0, ...dayKnown, dayOwed, dayOwedCredits, 0),
    );
    return {
      ...entry,
      dayWindow,
      // If it is opened here, then after this moment and before the deadline.
      minuteStartedAtMs: isOpen ? minute.startedAtMs : nowMs,
      dayMs,
      minuteOwed,
      dayOwed,
      dayOwedCredits,
    };
  }

  function hear(sent: readonly Sent[], reply: readonly number[]): void {
    const nowMs = now();
    sent.forEach(({ key, dayWindow, dayMs }, index) => {
      const [, minuteUsed = 0, , leftMs = 0, minuteId = 0] = answerAt(reply, index);
      const [dayUsed = 0, dayCredits = 0, , dayId = 0] = answerAt(reply, index).slice(6);
      const { minute } = key;
      if (minuteUsed > 0) {
        minute.startedAtMs = nowMs - windowMs + leftMs;
        minute.used = minuteUsed + minute.owed;
        minute.sharedId = minuteId;
      }
      if (dayWindow.dayMs > dayMs) return;
      if (dayWindow.dayMs < dayMs) dayWindow.owed = dayWindow.owedCredits = 0;
      dayWindow.dayMs = dayMs;
      dayWindow.used = dayUsed + dayWindow.owed;
      dayWindow.credits = dayCredits + dayWindow.owedCredits;
      dayWindow.sharedId = dayId;
    });
    sent.forEach(({ isCall, credits, decide }, index) => {
      const [minuteCounted, , , , , dayCounted] = answerAt(reply, index);
      if (isCall && minuteCounted === 0) decide("minute used up");
      else decide(credits !== null && dayCounted === 0 ? "day used up" : "counted");
    });
  }

  /** Redis did not answer: what it was to be told is still owed, and each call is decided here. */
  function countAlone(sent: readonly Sent[]): void {
    const nowMs = now();
    for (const each of sent) {
      owe(each, each.minuteOwed, each.dayOwed, each.dayOwedCredits);
      each.decide(each.isCall ? countHere(each.key, each.credits, nowMs) : "counted");
    }
  }

  /** Redis has counted after all what was since counted here. */
  function correct(sent: readonly Sent[], reply: readonly number[]): void {
    sent.forEach((each, index) => {
      const [minuteCounted = 0, , , , , dayCounted = 0] = answerAt(reply, index);
      const credits = each.dayOwedCredits + dayCounted * (each.credits ?? 0);
      owe(each, -each.minuteOwed - minuteCounted, -each.dayOwed - dayCounted, -credits);
    });
  }

  function owe(
    { key, dayWindow, minuteStartedAtMs, dayMs }: Sent,
    minuteCalls: number,
    dayCalls: number,
    credits: number,
  ): void {
    const { minute } = key;
    if (Math.abs(minute.startedAtMs - minuteStartedAtMs) < toleranceMs) minute.owed += minuteCalls;
    if (dayWindow.dayMs === dayMs) {
      dayWindow.owed += dayCalls;
      dayWindow.owedCredits += credits;
    }
    owing.add(key);
  }

  function countHere(key: KeyEntry, credits: number | null, nowMs: number): Verdict {
    if (!admit(key.minute, key.perMinute, nowMs)) return "minute used up";
    owing.add(key);
    key.minute.owed += 1;
    if (credits === null) return "counted";
    if (!reserve(key.day, key.perDay, nowMs, credits)) return "day used up";
    key.day.owed += 1;
    key.day.owedCredits += credits;
    return "counted";
  }

  const settleKey = (key: KeyEntry, decide = () => {}) => enqueue({ key, isCall: false, credits: null, decide });

  return {
    get isReachable() {
      return redis.isReachable;
    },
    count(key, credits) {
      const nowMs = now();
      const { minute, perMinute } = key;
      const ageMs = nowMs - minute.startedAtMs;
      // A window only fills up, so one that is known to be full needs no question.
      if (minute.used >= perMinute && ageMs >= 0 && ageMs < windowMs) return "minute used up";
      if (!redis.isReachable) return countHere(key, credits, nowMs);
      return new Promise((decide) => enqueue({ key, isCall: true, credits, decide }));
    },
    release(key, credits, countedAtMs) {
      const { day } = key;
      if (startOfDay(countedAtMs) !== day.dayMs) return;
      release(day, countedAtMs, credits);
      day.owed -= 1;
      day.owedCredits -= credits;
      if (redis.isReachable) settleKey(key);
      else owing.add(key);
    },
    async look(keys) {
      if (redis.isReachable) await Promise.all(keys.map((key) => new Promise<void>((told) => settleKey(key, told))));
    },
    settle() {
      const keys = [...owing];
      owing.clear();
      for (const key of keys) if (key.minute.owed !== 0 || key.day.owed !== 0) settleKey(key);
    },
  };
}

const nothingKnown = { used: 0, credits: 0, sharedId: 0 };

const words = (...values: (number | undefined)[]) => values.map((value = 0) => String(value));

const answerAt = (reply: readonly number[], index: number) => reply.slice(index * 10, index * 10 + 10);
