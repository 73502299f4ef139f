import { describe, expect, test } from "vitest";
import { readFirstSteps } from "@/features/overview/data";
import { getCondition } from "@/features/overview/sessions-part";

describe("readFirstSteps", () => {
  const use = (atMs: number) => ({ atMs, from: null, endpoint: "/v1/quote", status: 200 });

  test("an account without keys has neither a key nor a call", () => {
    expect(readFirstSteps([])).toEqual({ hasKey: false, call: null });
  });

  test("a revoked key is no key, but its call was made", () => {
    expect(readFirstSteps([{ state: "revoked", lastUse: use(1) }])).toEqual({
      hasKey: false,
      call: { atMs: 1, endpoint: "/v1/quote", status: 200 },
    });
  });

  test("the latest call of all keys counts", () => {
    const keys = [1, 3, 2].map((atMs) => ({ state: "active", lastUse: use(atMs) }) as const);
    expect(readFirstSteps(keys).call?.atMs).toBe(3);
  });
});

describe("getCondition", () => {
  const read = (live: number, delayed: number, stale: number, closed: number) =>
    getCondition({ counts: { live, delayed, stale, closed } });

  test("a source is as good as its quotes of open markets", () => {
    expect(read(0, 0, 0, 0).text).toBe("no prices yet");
    expect(read(0, 0, 0, 9).text).toBe("closed");
    expect(read(98, 1, 1, 5)).toMatchObject({ dot: "good", text: "98/100 live" });
    expect(read(50, 50, 0, 5).dot).toBe("late");
    expect(read(0, 0, 9, 0)).toMatchObject({ dot: "failed", text: "stale" });
  });
});
