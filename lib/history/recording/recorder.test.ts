import { describe, expect, test } from "vitest";
import { BITCOIN, openRecorder, row, START, START_MS } from "@/lib/history/recording/recorder.fixture";
import { HOUR_MS } from "@/lib/time/units";

describe("the recorder", () => {
  test("The recorder folds the updates of a second into one row, and writes it once the clock has passed the second", async () => {
    const { recorder, quote, rows, state } = openRecorder();
    for (const [ms, points] of [
      [100, 5],
      [300, 9],
      [800, 2],
      [900, 4],
    ] as const)
      quote(START_MS + ms, points);
    state.nowMs = START_MS + 999;
    await recorder.flush();
    expect(rows()).toEqual([]);
    state.nowMs = START_MS + 1_000;
    await recorder.flush();
    expect(rows()).toEqual([row(START, 5, 9, 2, 4, 4)]);
  });

  test("The recorder writes a second when a later one has begun, even if the clock is slow", async () => {
    const { recorder, quote, rows } = openRecorder();
    quote(START_MS, 5);
    quote(START_MS + 1_000, 6);
    await recorder.flush();
    expect(rows()).toEqual([row(START, 5, 5, 5, 5, 1)]);
  });

  test("The recorder records the served source only", async () => {
    const { recorder, quote, rows, state } = openRecorder();
    quote(START_MS, 5);
    quote(START_MS + 1, 50, "b");
    state.served = "b";
    quote(START_MS + 2, 6, "a");
    quote(START_MS + 3, 7, "b");
    await recorder.finish();
    expect(rows()).toEqual([row(START, 5, 7, 5, 7, 2)]);
  });

  test("A late update is merged into its second, as the new close", async () => {
    const { recorder, quote, rows, openHours, state } = openRecorder();
    quote(START_MS, 5);
    quote(START_MS + 1_000, 6);
    state.nowMs += 2_000;
    await recorder.flush();
    await recorder.flush();
    quote(START_MS + 500, 9);
    quote(START_MS + 1_500, 3);
    await recorder.flush();
    expect(rows()).toEqual([row(START, 5, 9, 5, 9, 2), row(START + 1, 6, 6, 3, 3, 2)]);
    expect(openHours.readSecond("EURUSD", START)).toEqual(row(START, 5, 9, 5, 9, 2));
    expect(recorder.counts()).toMatchObject({ recorded: 4, merged: 2, repeated: 0 });
  });

  test("After a takeover only seconds that the other recorder has not stored are written, as they were received", async () => {
    const { recorder, quote, rows, openHours, state } = openRecorder();
    recorder.standBy();
    quote(START_MS, 5);
    openHours.write(row(START, 8, 8, 8, 8, 1));
    quote(START_MS + 1_000, 6);
    quote(START_MS + 500, 9);
    state.nowMs += 3_000;
    recorder.takeOver();
    await recorder.flush();
    await recorder.flush();
    expect(rows()).toEqual([row(START + 1, 6, 6, 6, 6, 1)]);
  });

  test("Updates of a closed hour are dropped and counted", async () => {
    const { recorder, quote, rows } = openRecorder({ closedHours: [START_MS] });
    quote(START_MS + 3_599_999, 5);
    quote(START_MS + HOUR_MS, 6);
    recorder.refuse(START_MS + HOUR_MS);
    quote(START_MS + 3_601_000, 6);
    recorder.reopen(START_MS + HOUR_MS);
    quote(START_MS + 3_602_000, 7);
    await recorder.finish();
    expect(recorder.counts().tooLate).toBe(2);
    expect(rows().map(({ second }) => second - START)).toEqual([3_600, 3_602]);
  });

  test("The recorder acknowledges nothing while the database is unavailable, and everything afterwards", async () => {
    const { recorder, quote, rows, state, acknowledged, openHours } = openRecorder();
    state.database = "down";
    for (let second = 0; second < 100; second++) quote(START_MS + second * 1_000, second);
    await expect(recorder.flush()).rejects.toThrow("no database");
    expect(acknowledged).toEqual([]);
    expect(openHours.getHours("EURUSD")).toEqual([]);
    expect(recorder.isWaiting(START_MS)).toBe(true);
    expect(recorder.isWaiting(START_MS - HOUR_MS)).toBe(false);
    state.database = "up";
    await recorder.finish();
    expect(rows()).toHaveLength(100);
    expect(recorder.counts()).toMatchObject({ recorded: 100, dropped: 0 });
    expect(recorder.isWaiting(START_MS)).toBe(false);
  });

  test("The recorder retains the oldest seconds when too many wait, and counts the lost ones", async () => {
    const { recorder, quote, rows, state } = openRecorder({ maxWaiting: 10 });
    state.database = "down";
    for (let second = 0; second < 24; second++) quote(START_MS + second * 1_000, second);
    await expect(recorder.flush()).rejects.toThrow();
    state.database = "up";
    await recorder.flush();
    quote(START_MS + 24_000, 24);
    await recorder.finish();
    expect(rows().map(({ second }) => second - START)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 23, 24]);
    expect(recorder.counts().dropped).toBe(13);
  });

  test("Only the price is dropped when a price is too large to be recorded", async () => {
    const { recorder, quote, rows } = openRecorder();
    quote(START_MS, 3e17, "a", BITCOIN);
    quote(START_MS, 2_147_483_648, "a", BITCOIN);
    await recorder.finish();
    expect(rows()).toMatchObject([{ digits: 2, bid: 2_147_483_648, updates: 1 }]);
    expect(recorder.counts().dropped).toBe(1);
  });

  test("Recording is complete up to the clock in silence, and up to the newest quote otherwise", async () => {
    const { recorder, quote, openHours, state } = openRecorder();
    quote(START_MS + 5_400, 1);
    state.nowMs = START_MS + 60_000;
    await recorder.flush();
    expect(openHours.completeUntilMs).toBe(START_MS + 5_000);
    await recorder.flush();
    expect(openHours.completeUntilMs).toBe(START_MS + 60_000);
  });

  test("A broker's last price that is repeated after a reconnect counts as a repeat", async () => {
    const first = openRecorder();
    for (const points of [5, 9, 4]) first.quote(START_MS + points, points);
    await first.recorder.finish();
    const second = openRecorder({ journal: first.journal });
    second.quote(START_MS + 4, 4);
    await second.recorder.finish();
    expect(second.rows()).toEqual([row(START, 5, 9, 4, 4, 3)]);
    expect(second.recorder.counts()).toMatchObject({ recorded: 0, repeated: 1 });
  });
});
