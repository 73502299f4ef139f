import { afterEach, describe, expect, test } from "vitest";
import { killDatabase, killProcess, pauseProcess } from "@/lib/history/testing/kills";
import { createEmbeddedTestPlace, createTestPlace, type TestPlace } from "@/lib/platform/testing/databases";

/** A few of the moments at which `npm run bench:kill` kills or pauses the recording; it also kills the database. */

describe("a recording process", () => {
  let place: TestPlace;
  afterEach(() => place.remove());

  test(
    "The process loses no acknowledged second to kill -9, and stores none twice or in part",
    { timeout: 240_000 },
    async () => {
      place = createEmbeddedTestPlace();
      const { wrong, acknowledged, closedHours, readyMs } = await killProcess(place, [120, 700, 1_300]);
      expect(wrong).toEqual([]);
      expect(acknowledged).toBeGreaterThan(500);
      expect(closedHours).toBeGreaterThan(1);
      expect(Math.max(...readyMs)).toBeLessThan(60_000);
    },
  );

  test.runIf(process.platform === "linux").each([
    ["its embedded database", (moments: number[]) => killDatabase(place, moments)],
    ["both", (moments: number[]) => killProcess(place, moments, { alsoDatabase: true })],
  ])("The same holds for a kill -9 of %s", { timeout: 240_000 }, async (_what, kill) => {
    place = createEmbeddedTestPlace();
    const { wrong, acknowledged, closedHours } = await kill([300, 1_100]);
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(500);
    expect(closedHours).toBeGreaterThan(1);
  });
});

test(
  "Of two recorders that are paused in turn, one records each second once and whole, and nothing is lost",
  { timeout: 240_000 },
  async () => {
    const place = await createTestPlace();
    try {
      const { wrong, acknowledged, closedHours, readyMs } = await pauseProcess(place, [900, 1_400], 4_000);
      expect(wrong).toEqual([]);
      expect(acknowledged).toBeGreaterThan(5_000);
      expect(closedHours).toBeGreaterThan(5);
      expect(Math.max(...readyMs)).toBeLessThan(60_000);
    } finally {
      await place.remove();
    }
  },
);
