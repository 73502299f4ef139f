import fc from "fast-check";
import { expect, test } from "vitest";
import type { SecondRow } from "@/lib/history/hour-columns";
import { openRecorder, row, START_MS } from "@/lib/history/recording/recorder.fixture";

const update = fc.record({
  kind: fc.constant("update" as const),
  source: fc.constantFrom("a", "b"),
  offsetMs: fc.integer({ min: 0, max: 4_000 }),
  points: fc.integer({ min: 1, max: 50 }),
});
const step = fc.oneof(
  { weight: 6, arbitrary: update },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("clock" as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("flush" as const),
      database: fc.constantFrom("up" as const, "down" as const, "silent" as const),
    }),
  },
);

test("Each second is stored once with all its updates, for any sequence of failures", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { recorder, quote, state, openHours, journal } = openRecorder();
      const expected = new Map<number, SecondRow>();
      for (const each of steps) {
        if (each.kind === "clock") state.nowMs += each.ms;
        if (each.kind === "flush") {
          state.database = each.database;
          await recorder.flush().catch(() => {});
          for (const held of openHours.getHours("EURUSD")) expect(held.count).toBeLessThanOrEqual(expected.size);
        }
        if (each.kind !== "update") continue;
        const { points, source } = each;
        // The intake ensures that one source's times never run back. Two sources' times may.
        const timeMs = state.nowMs + (source === "a" ? 0 : -each.offsetMs);
        const second = Math.floor(timeMs / 1000);
        const before = expected.get(second) ?? row(second, points, points, points, points, 0);
        const [high, low] = [Math.max(before.high, points), Math.min(before.low, points)];
        expected.set(second, row(second, before.open, high, low, points, before.updates + 1));
        state.served = source;
        quote(timeMs, points, source);
      }
      state.database = "up";
      await recorder.finish();
      const inOrder = (rows: Iterable<SecondRow>) => [...rows].sort((a, b) => a.second - b.second);
      expect(inOrder(journal.values())).toEqual(inOrder(expected.values()));
      for (const each of expected.values()) expect(openHours.readSecond("EURUSD", each.second)).toEqual(each);
    }),
  );
});

test("A delivery that starts over after a restart is stored once, for any cut of the first", async () => {
  const ticks = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 40,
  });
  const cuts = fc.array(fc.nat(40), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(ticks, cuts, async (steps, cutsAt) => {
      let atMs = START_MS;
      const delivery = steps.map(([ms, points]) => [(atMs += ms), points] as const);
      const deliver = async (journal: Map<string, SecondRow>, until: number) => {
        const run = openRecorder({ journal });
        for (const [timeMs, points] of delivery.slice(0, until)) run.quote(timeMs, points);
        await run.recorder.finish();
        return run.rows();
      };
      const journal = new Map<string, SecondRow>();
      for (const cut of cutsAt) await deliver(journal, cut);
      const once = await deliver(new Map(), delivery.length);
      expect(await deliver(journal, delivery.length)).toEqual(once);
    }),
  );
});
