import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints } from "@/lib/api/registry";

const document = describeApi(endpoints, "https://prices.test");

test("Redocly finds nothing to correct in the document", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
  const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`);
  expect(found).toEqual([]);
});

test("Spectral finds nothing to correct in the document", async () => {
  const spectral = new Spectral();
  // recorded-examples.test.ts compares the examples with their schemas.
  spectral.setRuleset({ extends: [[oas as never, "recommended"]], rules: { "oas3-valid-media-example": "off" } });
  const problems = await spectral.run(JSON.stringify(document));
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join(".")}`)).toEqual([]);
});
