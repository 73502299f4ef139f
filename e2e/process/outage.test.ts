import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OUTAGES, OutageScene } from "@/e2e/process/outage-scene";
import { WITHOUT_PAGES } from "@/e2e/support/spotline";

/** Every call of the documentation while the database fails. The nightly tests have more ways to fail, and the pages. */

describe("A server whose database", () => {
  let scene: OutageScene;
  beforeAll(async () => {
    scene = await OutageScene.start(WITHOUT_PAGES);
  });
  afterAll(() => scene.end());

  const usual = OUTAGES.filter(({ isUsual }) => isUsual);
  test.each(usual)("$name answers every call, what is in memory too, and is as before afterwards", async (outage) => {
    expect(await scene.endure(outage)).toBeUndefined();
  });
});
