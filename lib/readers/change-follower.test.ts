import { beforeEach, describe, expect, test } from "vitest";
import { ChangeFollower, type Copies, FollowedClock } from "@/lib/readers/change-follower";
import type { Change, Changes, Snapshot } from "@/lib/readers/messages";

let nowMs = 0;
let requests = 0;
let log: string[] = [];
let follower: ChangeFollower;
let reload: () => Promise<void>;

beforeEach(() => {
  nowMs = 1_000;
  requests = 0;
  log = [];
  reload = async () => {};
  follower = new ChangeFollower({ monotonic: () => nowMs, requestSnapshot: () => requests++ });
});

const copies: Copies = {
  replace: ({ quotes }) => log.push(`replace ${quotes.length}`),
  reload: () => (log.push("reload"), reload()),
  onQuotes: (quotes) => log.push(...quotes.map(([, symbol, bid]) => `${symbol} ${bid}`)),
  onSources: (sources) => log.push(`sources ${sources.length}`),
  onInstruments: (put, dropped) => log.push(`instruments ${put.length} ${dropped.length}`),
  history: {
    onRecorded: (rows) => log.push(`recorded ${rows.length}`),
    onClosed: (hourMs) => log.push(`closed ${hourMs}`),
    onRewritten: () => log.push("rewritten"),
  },
};

const snapshot = (at: number, epoch = "a"): Snapshot => ({
  ...{ type: "snapshot", epoch, at, sentAtMs: 0, marketNowMs: 50_000, sources: [], isInPast: false, quotes: [] },
});
const send = (at: number, changes: readonly Change[] = [], { epoch = "a", transitMs = 0 } = {}): void => {
  const message: Changes = { type: "changes", epoch, at, sentAtMs: 0, marketNowMs: 50_000, changes };
  follower.onMessage(message, transitMs);
};
const price = (bid: number): Change => ({ type: "quotes", quotes: [["x", "EURUSD", bid, bid, 1]] });
const CLOSED: Change = { type: "closed", hourMs: 7 };

describe("A reader", () => {
  test("starts from a snapshot, also with changes that came before it was ready", async () => {
    const first = follower.start();
    expect(requests).toBe(1);
    follower.onMessage(snapshot(10), 0);
    send(10, [price(1)]);
    expect((await first).at).toBe(10);
    await follower.follow(copies);
    send(11, [price(2), CLOSED]);
    expect(log).toEqual(["replace 0", "reload", "EURUSD 1", "EURUSD 2", "closed 7"]);
    expect([follower.isStale, follower.lag()]).toEqual([false, { ms: 0, changes: 0 }]);
  });

  test("finds a gap, is stale until a snapshot has closed it, and tells how much it lacks", async () => {
    follower.onMessage(snapshot(0), 0);
    await follower.follow(copies);
    send(0, [price(1)]);
    nowMs += 40;
    send(5, [price(6)]);
    expect([follower.isStale, follower.lag(), requests]).toEqual([true, { ms: 40, changes: 5 }, 1]);
    send(6, [price(7)]);
    nowMs += 1_000;
    send(7);
    expect([log.at(-1), requests]).toEqual(["EURUSD 1", 2]);
    follower.onMessage(snapshot(7), 0);
    expect([follower.isStale, follower.lag(), log.at(-1)]).toEqual([false, { ms: 0, changes: 0 }, "reload"]);
    send(7, [price(8)]);
    expect(log.at(-1)).toBe("EURUSD 8");
  });

  test("takes nothing of another run of the writer without its snapshot", async () => {
    follower.onMessage(snapshot(0), 0);
    await follower.follow(copies);
    send(0, [price(1)], { epoch: "b" });
    expect([log.includes("EURUSD 1"), follower.isStale]).toEqual([false, true]);
    follower.onMessage(snapshot(1, "b"), 0);
    send(1, [price(2)], { epoch: "b" });
    expect([log.at(-1), follower.isStale]).toEqual(["EURUSD 2", false]);
  });

  test("applies prices while it reads the history, and changes of the history after it", async () => {
    follower.onMessage(snapshot(0), 0);
    await follower.follow(copies);
    let finish = () => {};
    reload = () => new Promise((resolve) => (finish = resolve));
    send(2);
    follower.onMessage(snapshot(3), 0);
    send(3, [CLOSED, price(4)]);
    expect(log.slice(-2)).toEqual(["reload", "EURUSD 4"]);
    finish();
    await Promise.resolve().then(() => {});
    expect(log.at(-1)).toBe("closed 7");
  });

  test("requests another snapshot when the history could not be read", async () => {
    follower.onMessage(snapshot(0), 0);
    await follower.follow(copies);
    reload = () => Promise.reject(new Error("no database"));
    send(2);
    nowMs += 1_000;
    follower.onMessage(snapshot(3), 0);
    await Promise.resolve().then(() => {});
    await Promise.resolve();
    expect([follower.isStale, requests]).toEqual([true, 2]);
  });

  test("is stale once the writer sends nothing for five seconds", () => {
    follower.onMessage(snapshot(0), 0);
    nowMs += 4_999;
    expect(follower.isStale).toBe(false);
    nowMs += 1;
    expect([follower.isStale, follower.lag().ms]).toEqual([true, 5_000]);
    send(0);
    expect(follower.isStale).toBe(false);
  });

  test("does not take late messages for new ones", () => {
    follower.onMessage(snapshot(0), 0);
    expect(follower.marketNow()).toBe(50_000);
    nowMs += 8_000;
    send(0, [], { transitMs: 6_000 });
    expect([follower.isStale, follower.lag().ms, follower.marketNow()]).toEqual([true, 6_000, 56_000]);
  });
});

let clock: FollowedClock;

beforeEach(() => {
  nowMs = 1_000;
  clock = new FollowedClock(() => nowMs);
  clock.set(50_000, 1_000, false);
});

/** Sets the clock by a message that arrives `afterMs` later and took `lateMs` longer than anything shows. */
function receive(afterMs: number, lateMs: number, isRecording = false): void {
  nowMs += afterMs;
  clock.set(49_000 + nowMs - lateMs, nowMs, isRecording);
}

describe("The followed clock", () => {
  test("runs on from the last message", () => {
    nowMs += 300;
    expect(clock.now()).toBe(50_300);
  });

  test("is not set back by a message that a busy writer sent late", () => {
    receive(900, 800);
    expect(clock.now()).toBe(50_900);
    receive(10, 0);
    expect(clock.now()).toBe(50_910);
  });

  test("is set forward at once by a message that is less late than the one before", () => {
    receive(1_000, 800);
    expect(clock.now()).toBe(50_200);
    receive(10, 0);
    expect(clock.now()).toBe(51_010);
  });

  test("is set back after a second in which all messages are behind, and at once by more than five seconds", () => {
    receive(999, 500);
    expect(clock.now()).toBe(50_999);
    receive(1, 500);
    expect(clock.now()).toBe(50_500);
    receive(10, 3_600_000);
    expect(clock.now()).toBe(50_010 + 1_000 - 3_600_000);
  });

  test("follows the time of a recording, whichever its speed", () => {
    receive(100, 50, true);
    expect(clock.now()).toBe(50_050);
  });
});
