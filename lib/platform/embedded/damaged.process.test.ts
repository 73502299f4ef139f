import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../database/database";
import { silentLog } from "../log/log";
import { createEmbeddedTestPlace, type TestPlace } from "../testing/databases";

describe("a damaged embedded database", () => {
  let place: TestPlace;
  beforeEach(async () => {
    place = await createEmbeddedTestPlace();
  });
  afterEach(() => place.remove());

  test.each([
    ["an overwritten control file", (folder: string) => writeFile(path.join(folder, "global", "pg_control"), "x")],
    ["no log", (folder: string) => rm(path.join(folder, "pg_wal"), { recursive: true })],
  ])("with %s is refused with its folder and what to do", async (_damage, damage) => {
    const folder = path.join(place.dataDir, "postgres");
    await damage(folder);
    const opening = openDatabase({ ...place, log: silentLog });
    await expect(opening).rejects.toMatchObject({
      code: "EMBEDDED_DATABASE_UNUSABLE",
      message: expect.stringMatching(
        new RegExp(`^The embedded database in ${folder} cannot be opened \\(.+\\)\\. .* restore a backup `),
      ) as string,
    });
  });
});
