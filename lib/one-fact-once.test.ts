import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Facts that only one folder may state: a pattern, and where it may stand. */
const FACTS = [
  { pattern: /\b(60_000|900_000|3_600_000|86_400_000|604_800_000|3600000|86400000)\b/, home: "lib/time/" },
  { pattern: /new Intl\.NumberFormat|\.toLocaleString\("en/, home: "lib/text/" },
  { pattern: /function isZone\b/, home: "lib/time/" },
  { pattern: /= "fxk_live_"/, home: "lib/access/keys/" },
] as const;

test("Durations, number formats, zones and the key prefix are each defined in one place.", () => {
  const files = ["lib", "cli", "components", "features", "app"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /(?<!\.(test|fixture))\.tsx?$/.test(path));
  expect(files.length).toBeGreaterThan(100);
  const wrong = files.flatMap((path) => {
    const source = readFileSync(path, "utf8");
    return FACTS.filter(({ pattern, home }) => !path.startsWith(home) && pattern.test(source)).map(
      ({ home }) => `${path} repeats what ${home} defines`,
    );
  });
  expect(wrong).toEqual([]);
});
