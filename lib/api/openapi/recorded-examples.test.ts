import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { ERROR_CODES } from "@/lib/api/engine/errors";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import { errorExamples, findExamples } from "@/lib/api/openapi/recorded-examples";
import { endpoints } from "@/lib/api/registry";

interface Content {
  readonly schema: object;
}
interface Operation {
  readonly responses: Record<string, { readonly content: Record<string, Content | undefined> }>;
}

const document = describeApi(endpoints, "https://prices.test") as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

function expectMatch(schema: object | undefined, value: unknown) {
  const validate = ajv.compile({ ...schema, components: document.components });
  expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
}

/** The document itself is too long for an example, and a stream has no end. */
const shown = endpoints.filter(
  ({ path, contentType, answersRanges }) =>
    path !== "/v1/openapi.json" && contentType !== "text/event-stream" && answersRanges === undefined,
);

describe("The recorded answers match the schemas", () => {
  test.each(shown)("of $method $path", (endpoint) => {
    const content =
      document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses[String(endpoint.successStatus ?? 200)]
        ?.content;
    const examples = findExamples(formatOperationId(endpoint));
    expect(examples.length).toBeGreaterThan(0);
    for (const { answer } of examples)
      expectMatch(content?.[endpoint.contentType ?? "application/json"]?.schema, answer);
  });

  test("of every error that an endpoint may answer with", () => {
    const elsewhere = [
      "NOT_FOUND",
      "DATA_NOT_FOUND",
      "METHOD_NOT_ALLOWED",
      "TOO_MANY_STREAMS",
      "TOO_MANY_EXPORTS",
      "RANGE_NOT_SATISFIABLE",
      "REQUEST_TIMEOUT",
      "EXPECTATION_FAILED",
      "HEADERS_TOO_LARGE",
    ];
    expect(ERROR_CODES.filter((code) => !elsewhere.includes(code) && errorExamples[code] === undefined)).toEqual([]);
    for (const body of Object.values(errorExamples)) expectMatch(document.components.schemas.Error, body);
  });
});

test("No example has a secret or an address of the machine that recorded it", () => {
  expect(JSON.stringify([shown.map((each) => findExamples(formatOperationId(each))), errorExamples])).not.toMatch(
    /fxk_|127\.0\.0\.1|localhost|token=(?!YOUR_TOKEN)/,
  );
});
