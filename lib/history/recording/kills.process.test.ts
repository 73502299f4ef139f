import { afterEach, describe, expect, test } from "vitest";
import { killProcess, pauseProcess } from "@/lib/history/testing/kills";
import { databaseKinds } from "@/lib/platform/testing/databases";
import { createTestPlace, type TestPlace } from "@/lib/platform/testing/places";
import { isPostgresAvailable } from "@/lib/platform/testing/postgres-server";

/** A few of the moments at which `npm run bench:kill` kills or pauses the recording; it also kills the database. */

describe.each(databaseKinds)("a recording process on the %s database", (kind) => {
  let place: TestPlace;
  afterEach(() => place.remove());

  test(
    "The process loses no acknowledged second to kill -9, and stores none twice or in part",
    { timeout: 240_000 },
    async () => {
      place = await createTestPlace(kind);
      const { wrong, acknowledged, closedHours, readyMs } = await killProcess(place, [120, 700, 1_300]);
      expect(wrong).toEqual([]);
      expect(acknowledged).toBeGreaterThan(500);
      expect(closedHours).toBeGreaterThan(1);
      expect(Math.max(...readyMs)).toBeLessThan(10_000);
    },
  );
});

test.runIf(isPostgresAvailable)(
  "Of two recorders that are paused in turn, one records each second once and whole, and nothing is lost",
  { timeout: 240_000 },
  async () => {
    const place = await createTestPlace("postgresql");
    try {
      const { wrong, acknowledged, closedHours, readyMs } = await pauseProcess(place, [900, 1_400], 4_000);
      expect(wrong).toEqual([]);
      expect(acknowledged).toBeGreaterThan(5_000);
      expect(closedHours).toBeGreaterThan(5);
      expect(Math.max(...readyMs)).toBeLessThan(5_000);
    } finally {
      await place.remove();
    }
  },
);
