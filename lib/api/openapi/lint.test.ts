import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints } from "@/lib/api/registry";

/** What the recommended rules leave out. recorded-examples.test.ts compares the examples of answers with their schemas. */
const FURTHER_RULES = [
  "info-contact",
  "no-invalid-parameter-examples",
  "no-invalid-schema-examples",
  "no-required-schema-properties-undefined",
  "operation-description",
  "operation-tag-defined",
  "path-params-defined",
  "spec-strict-refs",
];

test("Redocly finds nothing to correct in the document", async () => {
  const rules = Object.fromEntries(FURTHER_RULES.map((name) => [name, "error" as const]));
  const config = await createConfig({ extends: ["recommended"], rules });
  const document = describeApi(endpoints, "https://prices.test");
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
  const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`);
  expect(found).toEqual([]);
});
