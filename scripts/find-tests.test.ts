import { expect, test } from "vitest";
import { findTests } from "@/scripts/find-tests";

test("Tests are found by a part of their path", () => {
  expect(findTests("E2E/api/QUOTE.test")).toEqual({
    files: {
      unit: [],
      api: ["e2e/api/quote.test.ts"],
      process: [],
      nightly: [],
      journeys: [],
      nightlyJourneys: [],
    },
    title: null,
  });
});

test("Each file belongs to what runs it", () => {
  expect(findTests("calendar.spec")?.files.journeys).toEqual(["e2e/journeys/calendar.spec.ts"]);
  expect(findTests("kills")?.files.process).toEqual(["lib/history/recording/kills.process.test.ts"]);
  expect(findTests("e2e/process/mail")?.files.process).toEqual(["e2e/process/mail.test.ts"]);
  expect(findTests("process/image")?.files.nightly).toEqual(["e2e/process/image.nightly.test.ts"]);
  expect(findTests("journeys/upgrade")?.files.nightlyJourneys).toEqual(["e2e/journeys/upgrade.nightly.spec.ts"]);
  expect(findTests("scripts/find-tests")?.files.unit).toEqual(["scripts/find-tests.test.ts"]);
});

test("Tests are found by a part of their title, which is not a regular expression", () => {
  const found = findTests("title (as here)?");
  const title = found?.title ?? "";
  expect(found?.files.unit).toEqual(["scripts/find-tests.test.ts"]);
  expect("A TITLE (AS HERE)? is found").toMatch(new RegExp(title, "i"));
  expect("a title as here").not.toMatch(new RegExp(title, "i"));
  expect(findTests(["no test", "says this"].join(" ever "))).toBeNull();
});
