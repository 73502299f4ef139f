import { type DayWindow, getDayStart, release } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { TOLERANCE_MS, WINDOW_MS } from "@/lib/access/admission/minute-window";
import {
  BUSY_MS,
  countLocally,
  GRANTED_SHARE,
  LEAST_GRANTED,
  LEAST_LEFT,
  resizeGrant,
  RETURN_EVERY_MS,
  type Verdict,
  type Windows,
} from "@/lib/access/admission/windows";
import type { Logger } from "@/lib/platform/log/log";
import { openRedis, type Redis, redisScript } from "@/lib/platform/redis";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";

interface Options {
  readonly now: Clock;
  readonly log: Logger;
}

/** Windows that processes share through Redis, over a connection of their own. */
export function openRedisWindows(settings: { url: string; deadlineMs: number }, { now, log }: Options): RedisWindows {
  const redis = openRedis({ ...settings, log, onRecovery: () => windows.sendOwed() });
  const windows = new RedisWindows(redis, now);
  return windows;
}

const MAX_BATCH = 100;
/** A call that Redis cannot decide, because granted calls may be returned, is sent again after this long. */
const RETRY_MS = 20;

/**
 * Together, the processes admit exactly the limit. A busy key that is far from its limits is granted calls, which its
 * process counts alone, because a request to Redis for each would cost as much as the call. The windows in memory hold
 * the last answer of Redis. While Redis is unreachable, each process counts alone from there without waiting, and owes
 * its counts to Redis. Each process then admits at most the limit.
 */
export class RedisWindows implements Windows {
  private waiting: CountRequest[] = [];
  private readonly grants = new RedisGrants();
  private readonly full = new WeakSet<KeyEntry>();
  private timer: NodeJS.Timeout | undefined;
  /** Keys whose windows hold calls that Redis has not counted. */
  private readonly owing = new Set<KeyEntry>();

  constructor(
    private readonly redis: Redis,
    private readonly now: Clock,
  ) {}

  get isReachable(): boolean {
    return this.redis.isReachable;
  }

  status(): Readonly<Record<string, "ok" | "degraded">> {
    // Without Redis each process goes on counting, so the service is degraded, not down.
    return { redis: this.isReachable ? "ok" : "degraded" };
  }

  start(): Promise<void> {
    this.timer = setInterval(() => this.returnGrants(), RETURN_EVERY_MS).unref();
    return this.redis.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.returnGrants();
    this.send();
    await this.redis.stop();
  }

  count(key: KeyEntry, credits: number | null, nowMs: number): Verdict | Promise<Verdict> {
    if (this.grants.take(key, credits, nowMs)) return "counted";
    const { minute, perMinute } = key;
    const ageMs = nowMs - minute.startedAtMs;
    const isFull = minute.used >= perMinute && ageMs >= 0 && ageMs < WINDOW_MS;
    // A window that Redis has found full stays full until it ends. Until then, granted calls may be returned.
    if (isFull && this.full.has(key)) return "minute used up";
    this.full.delete(key);
    if (!this.isReachable) return this.countAlone(key, credits, nowMs);
    return new Promise((resolve) => {
      const decide = (verdict: Verdict) => {
        if (verdict === "minute used up") this.full.add(key);
        resolve(verdict);
      };
      this.enqueue({ key, isCall: true, credits, decide });
    });
  }

  release(key: KeyEntry, credits: number, countedAtMs: number): void {
    const { day, ownDay } = key;
    const isReleased = releaseOwed(day, credits, countedAtMs);
    const isOwnReleased = ownDay !== null && releaseOwed(ownDay, credits, countedAtMs);
    if (!isReleased && !isOwnReleased) return;
    // It goes with the return of what the key was granted.
    if (this.grants.has(key)) return;
    if (this.isReachable) this.sendOwedCalls(key);
    else this.owing.add(key);
  }

  async refresh(keys: readonly KeyEntry[]): Promise<void> {
    if (!this.isReachable) return;
    await Promise.all(keys.map((key) => new Promise<void>((done) => this.sendOwedCalls(key, () => done()))));
  }

  /** Sends what was counted here while Redis was unreachable. */
  sendOwed(): void {
    const keys = [...this.owing];
    this.owing.clear();
    for (const key of keys) {
      const { minute, day, ownDay } = key;
      const days = ownDay === null ? [day] : [ownDay, day];
      const isOwing = minute.owed !== 0 || days.some(({ owed, owedCredits }) => owed !== 0 || owedCredits !== 0);
      if (isOwing) this.sendOwedCalls(key);
    }
  }

  private returnGrants(): void {
    for (const key of this.grants.keys()) {
      if (this.isReachable) this.sendOwedCalls(key);
      else {
        this.grants.giveUp(key);
        this.owing.add(key);
      }
    }
  }

  private sendOwedCalls(key: KeyEntry, decide: CountRequest["decide"] = () => {}): void {
    this.enqueue({ key, isCall: false, credits: null, decide });
  }

  /** Requests of the same turn of the event loop share one round trip. */
  private enqueue(request: CountRequest): void {
    this.waiting.push(request);
    if (this.waiting.length === 1) setImmediate(() => this.send());
    if (this.waiting.length >= MAX_BATCH) this.send();
  }

  private send(): void {
    if (this.waiting.length === 0) return;
    const requests = this.waiting;
    this.waiting = [];
    const nowMs = this.now();
    const sent = requests.map((request) => prepareRequest(request, nowMs, this.grants));
    const keys = sent.flatMap(toScriptKeys);
    const args = sent.flatMap((request) => toScriptArgs(request, nowMs));
    this.redis
      .run(countScript, keys, args, (reply) => this.correct(sent, reply as number[]))
      .then(
        (reply) => {
          const undecided = applyReply(sent, reply as number[], { nowMs: this.now(), grants: this.grants });
          if (undecided.length > 0) setTimeout(() => undecided.forEach((request) => this.enqueue(request)), RETRY_MS);
        },
        () => this.countBatchAlone(sent),
      );
  }

  private countBatchAlone(sent: readonly SentRequest[]): void {
    const nowMs = this.now();
    for (const request of sent) {
      returnOwed(request);
      if (request.wanted > 0) this.grants.endRequest(request.key);
      this.owing.add(request.key);
      request.decide(request.isCall ? this.countAlone(request.key, request.credits, nowMs) : "counted");
    }
  }

  private correct(sent: readonly SentRequest[], reply: readonly number[]): void {
    subtractLateReply(sent, reply);
    for (const { key } of sent) this.owing.add(key);
  }

  private countAlone(key: KeyEntry, credits: number | null, nowMs: number): Verdict {
    const verdict = countLocally(key, credits, nowMs);
    if (verdict === "minute used up") return verdict;
    this.owing.add(key);
    key.minute.owed += 1;
    if (verdict === "counted" && credits !== null) {
      owe(key.day, 1, credits);
      if (key.ownDay !== null) owe(key.ownDay, 1, credits);
    }
    return verdict;
  }
}

function owe(day: DayWindow, calls: number, credits: number): void {
  day.owed += calls;
  day.owedCredits += credits;
}

/** Gives back a call, also to Redis. False if its day is over. */
function releaseOwed(day: DayWindow, credits: number, countedAtMs: number): boolean {
  if (getDayStart(countedAtMs) !== day.dayMs) return false;
  release(day, countedAtMs, credits);
  owe(day, -1, -credits);
  return true;
}

/** What one run of the count script sends and receives. */

interface CountRequest {
  readonly key: KeyEntry;
  /** False where the request only sends the calls that the windows owe. */
  readonly isCall: boolean;
  /** What the days count the call for; null where they do not count it. */
  readonly credits: number | null;
  readonly decide: (verdict: Verdict) => void;
}

/** A request as it was sent: the windows it was about, and the owed calls it carried. */
interface SentRequest extends CountRequest {
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
function prepareRequest(request: CountRequest, nowMs: number, grants: RedisGrants): SentRequest {
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
function toScriptKeys({ key, days }: SentRequest): string[] {
  return [`spotline:minute:${key.id}`, ...days.map(({ name }) => name)];
}

/** Eleven numbers for the minute and eleven for each day. */
function toScriptArgs(sent: SentRequest, nowMs: number): string[] {
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
function applyReply(
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
function returnOwed(sent: SentRequest): void {
  addOwedMinute(sent, sent.minuteOwed);
  for (const day of sent.days) addOwedDay(day, sent.dayMs, day.owed, day.owedCredits);
}

/** Redis answered too late: it has counted what was since counted here as owed, and granted calls that nobody makes. */
function subtractLateReply(sent: readonly SentRequest[], reply: readonly number[]): void {
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

/** Other processes wait this long for the return of granted calls: a killed process returns none. */
const GRANT_MS = 1_000;

/**
 * Counts a batch of calls in shared windows, atomically.
 *
 * Each call has two or three keys (its minute, the day of its key if that has a limit, the day of its account) and eleven
 * numbers for each of them: the limit (-1: do not count, only add what is owed), the cost of the call, the calls that the
 * caller last read and their cost, the id of the counter they came from (0: none), the calls that the caller has counted
 * alone since and their cost, the milliseconds left of the window (0: unknown), 1 for a minute or 0 for a day, the
 * further calls that the caller would like to count alone (of the minute only), and how many it was granted before,
 * if they are returned: those that it has not made are part of what it owes, as a negative number.
 *
 * A counter is a hash: `used` calls at a `cost`, its `id`, the `base` at which it began, and the granted calls `out` that
 * are returned by `outUntil`. If Redis has lost a counter, a new one, with a new id, begins at the count that the first
 * caller last read. A later caller that had read a higher count raises it by the difference. A caller that read this same
 * counter adds only what it has counted alone.
 *
 * Returns six numbers for each window: whether the call was counted (0 or 1), the calls, their cost, the milliseconds
 * left, the id, the granted calls. A call that a window refuses is not counted in those after it. If the day of the
 * account refuses it, the day of the key gives it back (2). If a window is full of calls of which some were granted, it is
 * undecided (3), and those before it give the call back.
 */
const countScript = redisScript(`
local time = redis.call('TIME')
local newId = string.format('%.0f', time[1] * 1000000 + time[2])
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local function count(key, first, lengthMs)
  local number = function(index) return tonumber(ARGV[first + index]) end
  local limit, known, knownCost, id, leftMs = number(0), number(2), number(3), ARGV[first + 4], number(7)
  local left = redis.call('PTTL', key)
  local used, cost, base, baseCost, ownId, out, outUntil = 0, 0, 0, 0, newId, 0, 0
  local isNew = left <= 0
  if isNew then
    used, cost, base, baseCost = known, knownCost, known, knownCost
    left = leftMs > 0 and leftMs or lengthMs
  else
    local fields = redis.call('HMGET', key, 'used', 'cost', 'base', 'baseCost', 'id', 'out', 'outUntil')
    used, cost, base, baseCost = tonumber(fields[1]), tonumber(fields[2]), tonumber(fields[3]), tonumber(fields[4])
    ownId, out, outUntil = fields[5], tonumber(fields[6] or '0'), tonumber(fields[7] or '0')
    if id == '0' then
      used, cost = math.max(used, known), math.max(cost, knownCost)
    elseif id ~= ownId then
      used, cost = used + math.max(0, known - base), cost + math.max(0, knownCost - baseCost)
      base, baseCost = math.max(base, known), math.max(baseCost, knownCost)
      if leftMs > 0 and leftMs < left then left = leftMs end
    else
      out = math.max(0, out - number(10))
    end
  end
  used, cost = math.max(0, used + number(5)), math.max(0, cost + number(6))
  local counted = 0
  if limit >= 0 then
    if used < limit then
      used, cost, counted = used + 1, cost + number(1), 1
    elseif out > 0 and nowMs < outUntil then
      counted = 3
    end
  end
  if not isNew or used > 0 or base > 0 then
    redis.call('HSET', key, 'used', used, 'cost', cost, 'base', base, 'baseCost', baseCost, 'id', ownId, 'out', out)
    if isNew or id ~= ownId then redis.call('PEXPIRE', key, left) end
  end
  return counted, used, cost, left, tonumber(ownId), 0
end
local answers = {}
local function answer(...)
  for _, value in ipairs({...}) do answers[#answers + 1] = value end
end
local function giveBack(window)
  local at, cost = window * 6 - 5, tonumber(ARGV[window * 11 - 9])
  if answers[at] ~= 1 then return end
  redis.call('HINCRBY', KEYS[window], 'used', -1)
  redis.call('HINCRBY', KEYS[window], 'cost', 0 - cost)
  answers[at], answers[at + 1], answers[at + 2] = 2, answers[at + 1] - 1, answers[at + 2] - cost
end
local function grant(from, to, wanted)
  local calls = wanted
  for window = from, to do
    local left = tonumber(ARGV[window * 11 - 10]) - answers[window * 6 - 4]
    if left < ${LEAST_LEFT} then return end
    calls = math.min(calls, math.floor(left / ${GRANTED_SHARE}))
  end
  for window = from, to do
    redis.call('HINCRBY', KEYS[window], 'used', calls)
    redis.call('HINCRBY', KEYS[window], 'out', calls)
    redis.call('HSET', KEYS[window], 'outUntil', nowMs + ${GRANT_MS})
    answers[window * 6 - 4], answers[window * 6] = answers[window * 6 - 4] + calls, calls
  end
end
local from = 1
while from <= #KEYS do
  local to = from
  while to < #KEYS and ARGV[to * 11 + 9] == '0' do to = to + 1 end
  local isRefused = false
  for window = from, to do
    local first = window * 11 - 10
    if isRefused then ARGV[first] = '-1' end
    answer(count(KEYS[window], first, window == from and 60000 or 172800000))
    local counted = answers[window * 6 - 5]
    if tonumber(ARGV[first]) >= 0 and counted ~= 1 then
      isRefused = true
      if counted == 3 then
        for earlier = from, window - 1 do giveBack(earlier) end
      elseif window - from == 2 then
        giveBack(from + 1)
      end
    end
  end
  local wanted = tonumber(ARGV[from * 11 - 1])
  if wanted > 0 and not isRefused then grant(from, to, wanted) end
  from = to + 1
end
return answers
`);

interface Grant {
  readonly calls: number;
  /** The start of the minute, as this process saw it. */
  readonly minuteMs: number;
  readonly dayMs: number;
  readonly days: readonly DayWindow[];
  minuteLeft: number;
  /** More than of the minute where calls were made that the days do not count. */
  dayLeft: number;
}

/** A grant is returned before its window ends, so that it is returned to the window that counted it. */
const LAST_USE_MS = WINDOW_MS - 2_000;

/** The calls that Redis has counted ahead for this process, by key. The windows hold how many of them are left. */
class RedisGrants {
  readonly #grants = new Map<KeyEntry, Grant>();
  readonly #requested = new Set<KeyEntry>();
  readonly #countedAtMs = new WeakMap<KeyEntry, number>();
  readonly #sizes = new WeakMap<KeyEntry, number>();

  keys(): KeyEntry[] {
    return [...this.#grants.keys()];
  }

  has(key: KeyEntry): boolean {
    return this.#grants.has(key);
  }

  /** How many calls to request beside the next one: some if the key is busy, and has none and requested none. */
  request(key: KeyEntry, nowMs: number): number {
    const isBusy = Math.abs(nowMs - (this.#countedAtMs.get(key) ?? -Infinity)) < BUSY_MS;
    this.#countedAtMs.set(key, nowMs);
    if (!isBusy || this.#requested.has(key) || !isUsable(key, getDayStart(nowMs), nowMs)) return 0;
    this.#requested.add(key);
    return this.#sizes.get(key) ?? LEAST_GRANTED;
  }

  /** Call it when a request for calls was answered, or failed. */
  endRequest(key: KeyEntry): void {
    this.#requested.delete(key);
  }

  /** Adds calls that Redis has counted in the minute of the key and in these windows of that day. */
  add(key: KeyEntry, days: readonly DayWindow[], dayMs: number, calls: number): void {
    this.giveUp(key);
    this.#grants.set(key, { calls, minuteMs: key.minute.startedAtMs, dayMs, days, minuteLeft: calls, dayLeft: calls });
    for (const window of [key.minute, ...days]) window.granted += calls;
  }

  /** Counts a call; false if none is left in the current minute and day. */
  take(key: KeyEntry, credits: number | null, nowMs: number): boolean {
    const grant = this.#grants.get(key);
    if (grant === undefined || grant.minuteLeft === 0 || !isUsable(key, grant.dayMs, nowMs)) return false;
    grant.minuteLeft--;
    key.minute.granted--;
    key.minute.used++;
    if (credits === null) return true;
    grant.dayLeft--;
    for (const day of grant.days) {
      day.granted--;
      day.used++;
      day.credits += credits;
      day.owedCredits += credits;
    }
    return true;
  }

  /** Makes the windows owe the calls of a key that were not made. Returns how many were granted. */
  giveUp(key: KeyEntry): number {
    const grant = this.#grants.get(key);
    if (grant === undefined) return 0;
    this.#grants.delete(key);
    this.#sizes.set(key, resizeGrant(grant.calls, grant.minuteLeft));
    const { minute } = key;
    minute.granted -= grant.minuteLeft;
    if (Math.abs(minute.startedAtMs - grant.minuteMs) < TOLERANCE_MS) minute.owed -= grant.minuteLeft;
    for (const day of grant.days) {
      day.granted -= grant.dayLeft;
      if (day.dayMs === grant.dayMs) day.owed -= grant.dayLeft;
    }
    return grant.calls;
  }
}

/** Whether the minute of a key and this day go on for long enough. */
function isUsable({ minute }: KeyEntry, dayMs: number, nowMs: number): boolean {
  const ageMs = nowMs - minute.startedAtMs;
  return ageMs >= 0 && ageMs < LAST_USE_MS && getDayStart(nowMs) === dayMs;
}
