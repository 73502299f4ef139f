import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OUTAGES, OutageScene } from "@/e2e/process/outage-scene";
import { WITHOUT_PAGES } from "@/e2e/support/spotline";

/** Every call of the documentation and every page while the database fails in every way. */

describe.each([
  ["without pages", WITHOUT_PAGES],
  ["with pages", {}],
])("A server %s whose database", (_, env) => {
  let scene: OutageScene;
  beforeAll(async () => {
    scene = await OutageScene.start(env);
  });
  afterAll(() => scene.end());

  const title = "$name answers every call, what is in memory too, and is as before afterwards";
  test.each(OUTAGES)(title, { timeout: 300_000 }, async (outage) => {
    expect(await scene.endure(outage)).toBeUndefined();
  });
});
