import { type DayWindow, getDayStart } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { TOLERANCE_MS, WINDOW_MS } from "@/lib/access/admission/minute-window";
import type { RedisGrants } from "@/lib/access/admission/redis-grants";
import type { Verdict } from "@/lib/access/admission/windows";
import { DAY_MS } from "@/lib/time/units";

/** What one run of the count script sends and receives. See redis-count-script.ts for the order of the numbers. */

export interface CountRequest {
  readonly key: KeyEntry;
  /** False where the request only sends the calls that the windows owe. */
  readonly isCall: boolean;
  /** What the days count the call for; null where they do not count it. */
  readonly credits: number | null;
  readonly decide: (verdict: Verdict) => void;
}

/** A request as it was sent: the windows it was about, and the owed calls it carried. */
export interface SentRequest extends CountRequest {
  /** How many calls may be granted beside this one, and how many of an earlier grant it returns. */
  readonly wanted: number;
  readonly returned: number;
  readonly isMinuteOpen: boolean;
  readonly minuteStartedAtMs: number;
  readonly minuteOwed: number;
  readonly dayMs: number;
  /** The key's own day, if it has one, then the account's. */
  readonly days: readonly SentDay[];
}

interface SentDay {
  readonly window: DayWindow;
  /** Its name in Redis. */
  readonly name: string;
  readonly limit: number;
  readonly owed: number;
  readonly owedCredits: number;
}

const NUMBERS_PER_WINDOW = 6;

/**
 * Moves the calls that the windows owe into the request, so that they are sent once, among them what is left of the
 * calls that this key was granted.
 */
export function prepareRequest(request: CountRequest, nowMs: number, grants: RedisGrants): SentRequest {
  const { key } = request;
  const returned = grants.giveUp(key);
  const wanted = request.isCall ? grants.request(key, nowMs) : 0;
  const { minute, day, ownDay } = key;
  const ageMs = nowMs - minute.startedAtMs;
  const isMinuteOpen = ageMs >= 0 && ageMs < WINDOW_MS - TOLERANCE_MS;
  const dayMs = getDayStart(nowMs);
  const kind = day === key.account.days.tool ? "tool" : "standard";
  const sentDay = takeOwed(day, `${key.accountId}:${kind}`, key.perDay, dayMs);
  const sent: SentRequest = {
    ...request,
    wanted,
    returned,
    isMinuteOpen,
    // A minute that this request opens starts after this moment and before the deadline.
    minuteStartedAtMs: isMinuteOpen ? minute.startedAtMs : nowMs,
    minuteOwed: isMinuteOpen ? minute.owed : 0,
    dayMs,
    days: ownDay === null ? [sentDay] : [takeOwed(ownDay, `key:${key.id}`, key.ownPerDay, dayMs), sentDay],
  };
  minute.owed = 0;
  return sent;
}

function takeOwed(window: DayWindow, subject: string, limit: number, dayMs: number): SentDay {
  const isToday = window.dayMs === dayMs;
  const [owed, owedCredits] = isToday ? [window.owed, window.owedCredits] : [0, 0];
  if (isToday) window.owed = window.owedCredits = 0;
  return { window, name: `spotline:day:${subject}:${dayMs / DAY_MS}`, limit, owed, owedCredits };
}

/** The names of the minute and the days in Redis. */
export function toScriptKeys({ key, days }: SentRequest): string[] {
  return [`spotline:minute:${key.id}`, ...days.map(({ name }) => name)];
}

/** Eleven numbers for the minute and eleven for each day. */
export function toScriptArgs(sent: SentRequest, nowMs: number): string[] {
  const { key, isCall, credits, wanted, returned, isMinuteOpen, minuteOwed, dayMs, days } = sent;
  const { minute } = key;
  const numbers = [
    isCall ? key.perMinute : -1,
    0,
    isMinuteOpen ? minute.used - minuteOwed : 0,
    0,
    isMinuteOpen ? minute.sharedId : 0,
    minuteOwed,
    0,
    isMinuteOpen ? WINDOW_MS - (nowMs - minute.startedAtMs) : 0,
    1,
    wanted,
    returned,
  ];
  for (const { window, limit, owed, owedCredits } of days) {
    const isToday = window.dayMs === dayMs;
    numbers.push(
      credits === null ? -1 : limit,
      credits ?? 0,
      isToday ? window.used - owed + window.granted : 0,
      isToday ? window.credits - owedCredits : 0,
      isToday ? window.sharedId : 0,
      owed,
      owedCredits,
      0,
      0,
      0,
      returned,
    );
  }
  return numbers.map(String);
}

/**
 * Writes the counters of Redis into the windows, then decides each request. Returns the requests that Redis could not
 * decide: a limit is reached, but other processes have calls that were granted and not made.
 */
export function applyReply(
  sent: readonly SentRequest[],
  reply: readonly number[],
  { nowMs, grants }: { nowMs: number; grants: RedisGrants },
): SentRequest[] {
  const answers = splitReply(sent, reply);
  const isDecided = ({ minute, days }: RequestAnswer) =>
    ![minute, ...days].some(({ counted }) => counted === UNDECIDED);
  const decided = answers.filter(isDecided);
  for (const answer of answers) {
    const { request, minute } = answer;
    if (request.wanted > 0) grants.endRequest(request.key);
    if (minute.granted > 0) acceptGrant(answer, nowMs, grants);
  }
  for (const { request, minute, days } of decided) {
    writeMinute(request, minute, nowMs);
    days.forEach((answer, index) => writeDay(request.days[index] as SentDay, answer, request.dayMs));
  }
  for (const { request, minute, days } of decided) request.decide(readVerdict(request, minute, days));
  return answers.filter((answer) => !isDecided(answer)).map(({ request }) => request);
}

function acceptGrant({ request, minute }: RequestAnswer, nowMs: number, grants: RedisGrants): void {
  const windows = request.days.map(({ window }) => window);
  if (request.dayMs === getDayStart(nowMs)) grants.add(request.key, windows, request.dayMs, minute.granted);
  // What was granted in a day that is over is not used.
  else addOwedMinute(request, -minute.granted);
}

function readVerdict({ isCall, credits }: SentRequest, minute: Answer, days: readonly Answer[]): Verdict {
  if (isCall && minute.counted === 0) return "minute used up";
  const refusing = credits === null ? -1 : days.findIndex(({ counted }) => counted === 0);
  if (refusing === -1) return "counted";
  return refusing === days.length - 1 ? "day used up" : "key day used up";
}

function writeMinute({ key: { minute } }: SentRequest, answer: Answer, nowMs: number): void {
  if (answer.used === 0) return;
  minute.startedAtMs = nowMs - WINDOW_MS + answer.leftMs;
  minute.used = answer.used + minute.owed - minute.granted;
  minute.sharedId = answer.id;
}

function writeDay({ window }: SentDay, answer: Answer, dayMs: number): void {
  if (window.dayMs > dayMs) return;
  if (window.dayMs < dayMs) window.owed = window.owedCredits = 0;
  window.dayMs = dayMs;
  window.used = answer.used + window.owed - window.granted;
  window.credits = answer.cost + window.owedCredits;
  window.sharedId = answer.id;
}

/** Redis did not answer: the calls that the request carried are owed again. */
export function returnOwed(sent: SentRequest): void {
  addOwedMinute(sent, sent.minuteOwed);
  for (const day of sent.days) addOwedDay(day, sent.dayMs, day.owed, day.owedCredits);
}

/** Redis answered too late: it has counted what was since counted here as owed, and granted calls that nobody makes. */
export function subtractLateReply(sent: readonly SentRequest[], reply: readonly number[]): void {
  const countTaken = ({ counted, granted }: Answer) => (counted === COUNTED ? 1 : 0) + granted;
  for (const { request, minute, days } of splitReply(sent, reply)) {
    addOwedMinute(request, -request.minuteOwed - countTaken(minute));
    request.days.forEach((day, index) => {
      const answer = days[index] as Answer;
      const credits = answer.counted === COUNTED ? (request.credits ?? 0) : 0;
      addOwedDay(day, request.dayMs, -day.owed - countTaken(answer), -day.owedCredits - credits);
    });
  }
}

function addOwedMinute({ key: { minute }, minuteStartedAtMs }: SentRequest, calls: number): void {
  if (Math.abs(minute.startedAtMs - minuteStartedAtMs) < TOLERANCE_MS) minute.owed += calls;
}

function addOwedDay({ window }: SentDay, dayMs: number, calls: number, credits: number): void {
  if (window.dayMs !== dayMs) return;
  window.owed += calls;
  window.owedCredits += credits;
}

/** What the script answers for a window that counted the call; 0: it did not; 2: it gave the call back. */
const COUNTED = 1;
/** The window is full, but some of its calls were granted and may be returned. */
const UNDECIDED = 3;

interface Answer {
  readonly counted: number;
  readonly used: number;
  readonly cost: number;
  readonly leftMs: number;
  readonly id: number;
  readonly granted: number;
}

interface RequestAnswer {
  readonly request: SentRequest;
  readonly minute: Answer;
  readonly days: readonly Answer[];
}

/** The answers for the windows of each request. */
function splitReply(sent: readonly SentRequest[], reply: readonly number[]): RequestAnswer[] {
  let at = 0;
  const readNext = (): Answer => {
    const [counted = 0, used = 0, cost = 0, leftMs = 0, id = 0, granted = 0] = reply.slice(
      at,
      (at += NUMBERS_PER_WINDOW),
    );
    return { counted, used, cost, leftMs, id, granted };
  };
  return sent.map((request) => ({ request, minute: readNext(), days: request.days.map(readNext) }));
}
