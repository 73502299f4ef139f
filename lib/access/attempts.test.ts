import { expect, test } from "vitest";
import { createAttempts } from "@/lib/access/attempts";

test("allows so many attempts in a window, each name on its own, and says when the next is possible", () => {
  let nowMs = 0;
  const attempts = createAttempts({ now: () => nowMs, most: 2, windowMs: 600_000 });
  attempts.take("a");
  attempts.take("a");
  attempts.take("b");
  nowMs = 300_000;
  expect(() => attempts.take("a")).toThrow("Try again in 5 minutes.");
  nowMs = 600_000;
  expect(() => attempts.take("a")).not.toThrow();
});

test("starts anew after a right one", () => {
  const attempts = createAttempts({ now: () => 0, most: 2, windowMs: 600_000 });
  for (let i = 0; i < 10; i++) {
    attempts.take("a");
    attempts.succeed("a");
  }
  expect(() => attempts.take("a")).not.toThrow();
});
