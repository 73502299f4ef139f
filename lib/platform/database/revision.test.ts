import { expect, test } from "vitest";
import { BEFORE_ALL, createUpdate } from "@/lib/platform/database/revision";

function watch() {
  const loads: bigint[] = [];
  const state = { revision: 0n, error: null as Error | null };
  const update = createUpdate(
    async () => state.revision,
    async (since) => {
      if (state.error !== null) throw state.error;
      loads.push(since);
    },
  );
  return { loads, state, update };
}

test("An update loads what has changed since the last one, and nothing if the revision is the same.", async () => {
  const { loads, state, update } = watch();
  await update();
  await update();
  state.revision = 7n;
  await update();
  await update();
  expect(loads).toEqual([BEFORE_ALL, 0n]);
});

test("An update loads everything again if the revision went back.", async () => {
  const { loads, state, update } = watch();
  state.revision = 7n;
  await update();
  state.revision = 3n;
  await update();
  state.revision = 4n;
  await update();
  expect(loads).toEqual([BEFORE_ALL, BEFORE_ALL, 3n]);
});

test("An update after a failed one loads what the failed one missed.", async () => {
  const { loads, state, update } = watch();
  await update();
  state.revision = 1n;
  state.error = new Error("no database");
  await expect(update()).rejects.toThrow("no database");
  state.error = null;
  await update();
  expect(loads).toEqual([BEFORE_ALL, 0n]);
});
