import { type DayWindow, getDayStart, release } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { RETURN_EVERY_MS } from "@/lib/access/admission/grant-size";
import { WINDOW_MS } from "@/lib/access/admission/minute-window";
import {
  applyReply,
  type CountRequest,
  prepareRequest,
  returnOwed,
  type SentRequest,
  subtractLateReply,
  toScriptArgs,
  toScriptKeys,
} from "@/lib/access/admission/redis-batch";
import { countScript } from "@/lib/access/admission/redis-count-script";
import { RedisGrants } from "@/lib/access/admission/redis-grants";
import { countLocally, type Verdict, type Windows } from "@/lib/access/admission/windows";
import type { Logger } from "@/lib/platform/log/log";
import { openRedis, type Redis } from "@/lib/platform/redis";
import type { Clock } from "@/lib/platform/timing/clock";

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
