import { beforeEach, describe, expect, test } from "vitest";
import { FollowedClock } from "@/lib/readers/followed-clock";

let nowMs = 0;
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
