import { getDayStart } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { WINDOW_MS } from "@/lib/access/admission/minute-window";
import type { Verdict } from "@/lib/access/admission/windows";
import { DAY_MS } from "@/lib/time/units";

/** What one run of the count script sends and receives. See redis-count-script.ts for the order of the numbers. */

export interface CountRequest {
  readonly key: KeyEntry;
  /** False where the request only sends the calls that the windows owe. */
  readonly isCall: boolean;
  /** What the day counts the call for; null where the day does not count it. */
  readonly credits: number | null;
  readonly decide: (verdict: Verdict) => void;
}

/** A request as it was sent: the windows it was about, and the owed calls it carried. */
export interface SentRequest extends CountRequest {
  readonly isMinuteOpen: boolean;
  readonly minuteStartedAtMs: number;
  readonly minuteOwed: number;
  readonly dayWindow: KeyEntry["day"];
  readonly dayMs: number;
  readonly dayOwed: number;
  readonly dayOwedCredits: number;
}

/** Windows that began within this of each other are the same window, seen from two clocks. */
const TOLERANCE_MS = 1_000;
const NUMBERS_PER_REQUEST = 10;

/** Moves the calls that the windows owe into the request, so that they are sent once. */
export function prepareRequest(request: CountRequest, nowMs: number): SentRequest {
  const { minute, day } = request.key;
  const ageMs = nowMs - minute.startedAtMs;
  const isMinuteOpen = ageMs >= 0 && ageMs < WINDOW_MS - TOLERANCE_MS;
  const dayMs = getDayStart(nowMs);
  const isToday = day.dayMs === dayMs;
  const sent: SentRequest = {
    ...request,
    isMinuteOpen,
    // A minute that this request opens starts after this moment and before the deadline.
    minuteStartedAtMs: isMinuteOpen ? minute.startedAtMs : nowMs,
    minuteOwed: isMinuteOpen ? minute.owed : 0,
    dayWindow: day,
    dayMs,
    dayOwed: isToday ? day.owed : 0,
    dayOwedCredits: isToday ? day.owedCredits : 0,
  };
  minute.owed = 0;
  if (isToday) day.owed = day.owedCredits = 0;
  return sent;
}

/** The names of the minute and the day in Redis. */
export function toScriptKeys({ key, dayWindow, dayMs }: SentRequest): [minute: string, day: string] {
  const kind = dayWindow === key.account.days.tool ? "tool" : "standard";
  return [`spotline:minute:${key.id}`, `spotline:day:${key.accountId}:${kind}:${dayMs / DAY_MS}`];
}

/** Eight numbers for the minute and eight for the day. */
export function toScriptArgs(sent: SentRequest, nowMs: number): string[] {
  const { key, isCall, credits, isMinuteOpen, minuteOwed, dayWindow, dayMs, dayOwed, dayOwedCredits } = sent;
  const { minute } = key;
  const isToday = dayWindow.dayMs === dayMs;
  const minuteNumbers = [
    isCall ? key.perMinute : -1,
    0,
    isMinuteOpen ? minute.used - minuteOwed : 0,
    0,
    isMinuteOpen ? minute.sharedId : 0,
    minuteOwed,
    0,
    isMinuteOpen ? WINDOW_MS - (nowMs - minute.startedAtMs) : 0,
  ];
  const dayNumbers = [
    credits === null ? -1 : key.perDay,
    credits ?? 0,
    isToday ? dayWindow.used - dayOwed : 0,
    isToday ? dayWindow.credits - dayOwedCredits : 0,
    isToday ? dayWindow.sharedId : 0,
    dayOwed,
    dayOwedCredits,
    0,
  ];
  return [...minuteNumbers, ...dayNumbers].map(String);
}

/** Writes the counters of Redis into the windows, then decides each request. */
export function applyReply(sent: readonly SentRequest[], reply: readonly number[], nowMs: number): void {
  sent.forEach((request, index) => writeWindows(request, readAnswer(reply, index), nowMs));
  sent.forEach(({ isCall, credits, decide }, index) => {
    const { minuteCounted, dayCounted } = readAnswer(reply, index);
    if (isCall && minuteCounted === 0) decide("minute used up");
    else decide(credits !== null && dayCounted === 0 ? "day used up" : "counted");
  });
}

function writeWindows({ key, dayWindow, dayMs }: SentRequest, answer: ScriptAnswer, nowMs: number): void {
  const { minute } = key;
  if (answer.minuteUsed > 0) {
    minute.startedAtMs = nowMs - WINDOW_MS + answer.minuteLeftMs;
    minute.used = answer.minuteUsed + minute.owed;
    minute.sharedId = answer.minuteId;
  }
  if (dayWindow.dayMs > dayMs) return;
  if (dayWindow.dayMs < dayMs) dayWindow.owed = dayWindow.owedCredits = 0;
  dayWindow.dayMs = dayMs;
  dayWindow.used = answer.dayUsed + dayWindow.owed;
  dayWindow.credits = answer.dayCredits + dayWindow.owedCredits;
  dayWindow.sharedId = answer.dayId;
}

/** Redis did not answer: the calls that the request carried are owed again. */
export function returnOwed(sent: SentRequest): void {
  addOwed(sent, sent.minuteOwed, sent.dayOwed, sent.dayOwedCredits);
}

/** Redis answered too late: it has counted what was since counted here as owed. */
export function subtractLateAnswer(sent: SentRequest, reply: readonly number[], index: number): void {
  const { minuteCounted, dayCounted } = readAnswer(reply, index);
  const credits = sent.dayOwedCredits + dayCounted * (sent.credits ?? 0);
  addOwed(sent, -sent.minuteOwed - minuteCounted, -sent.dayOwed - dayCounted, -credits);
}

function addOwed(
  { key, dayWindow, minuteStartedAtMs, dayMs }: SentRequest,
  minuteCalls: number,
  dayCalls: number,
  credits: number,
): void {
  const { minute } = key;
  if (Math.abs(minute.startedAtMs - minuteStartedAtMs) < TOLERANCE_MS) minute.owed += minuteCalls;
  if (dayWindow.dayMs === dayMs) {
    dayWindow.owed += dayCalls;
    dayWindow.owedCredits += credits;
  }
}

type ScriptAnswer = ReturnType<typeof readAnswer>;

function readAnswer(reply: readonly number[], index: number) {
  const [minuteCounted = 0, minuteUsed = 0, , minuteLeftMs = 0, minuteId = 0, ...day] = reply.slice(
    index * NUMBERS_PER_REQUEST,
    (index + 1) * NUMBERS_PER_REQUEST,
  );
  const [dayCounted = 0, dayUsed = 0, dayCredits = 0, , dayId = 0] = day;
  return { minuteCounted, minuteUsed, minuteLeftMs, minuteId, dayCounted, dayUsed, dayCredits, dayId };
}
