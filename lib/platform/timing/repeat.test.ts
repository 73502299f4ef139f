import { expect, test } from "vitest";
import { repeat } from "@/lib/platform/timing/repeat";

test("The silence of repeated work grows while it fails and while it hangs, and ends with its success", async () => {
  let nowMs = 0;
  const outcomes: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let onRun = () => {};
  const runs = async (count: number) => {
    while (outcomes.length < count) await new Promise<void>((resolve) => (onRun = resolve));
    return outcomes[count - 1] as (typeof outcomes)[number];
  };
  const repetition = repeat(
    () =>
      new Promise((resolve, reject) => {
        outcomes.push({ resolve, reject });
        onRun();
      }),
    { pauseMs: 0, onFailure: () => {}, onRecovery: () => {}, monotonic: () => nowMs },
  );
  nowMs = 5_000;
  repetition.start();
  const failing = await runs(1);
  nowMs = 15_000;
  expect(repetition.getSilenceMs()).toBe(10_000);
  failing.reject(new Error("no database"));
  const hanging = await runs(2);
  nowMs = 25_000;
  expect(repetition.getSilenceMs()).toBe(20_000);
  hanging.resolve();
  await runs(3);
  expect(repetition.getSilenceMs()).toBe(0);
  repetition.stop();
});
