import { expect, test } from "vitest";
import { NO_BATCHES, placeBatch } from "@/lib/feeds/mt5/batch-store";

function send(...sequence: number[]) {
  let state = NO_BATCHES;
  return sequence.map((seq) => {
    const { isRepeated, skipped, after } = placeBatch(state, seq);
    state = after;
    return isRepeated ? "repeated" : skipped === 0 ? "new" : `new after ${skipped}`;
  });
}

test("A batch that was sent again is known.", () => {
  expect(send(1, 2, 2, 1, 3)).toEqual(["new", "new", "repeated", "repeated", "new"]);
});

test("A gap is counted, and a batch of it that comes later is new once.", () => {
  expect(send(1, 5, 3, 3, 2, 4, 4, 6)).toEqual([
    "new",
    "new after 3",
    "new",
    "repeated",
    "new",
    "new",
    "repeated",
    "new",
  ]);
});

test("A terminal that begins with a later batch has a gap before it.", () => {
  expect(send(4, 1)).toEqual(["new after 3", "new"]);
});

test("The number of remembered gaps is bounded.", () => {
  let state = NO_BATCHES;
  for (let seq = 2; seq < 1_000; seq += 2) state = placeBatch(state, seq).after;
  expect(state.missing).toHaveLength(100);
});
