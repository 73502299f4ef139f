import { describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { findGroup } from "@/lib/api/openapi/describe-operation";
import { endpoints } from "@/lib/api/registry";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: {
    readonly type: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly maxItems?: number;
    readonly enum?: readonly string[];
    readonly default?: unknown;
  };
}

type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };
const document = describeApi(endpoints, "https://prices.test") as Document;

const described = endpoints.flatMap((endpoint) =>
  (document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.parameters ?? [])
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => ({ title: `${parameter.name} of ${endpoint.path}`, endpoint, parameter })),
);

const accepts = ({ query }: Endpoint, { name }: Parameter, value: string | undefined) =>
  (query.shape[name] as z.ZodType).safeParse(value).success;

describe("What the document says of a parameter is what its check does", () => {
  test.each(described)("$title", ({ endpoint, parameter }) => {
    const { type, minimum, maximum, maxItems, enum: words, default: byDefault } = parameter.schema;
    expect(accepts(endpoint, parameter, undefined)).toBe(!parameter.required);
    expect(type).toMatch(/^(string|integer|number|boolean|array)$/);
    if (type === "integer") {
      expect([minimum, maximum]).toEqual([expect.any(Number), expect.any(Number)]);
      for (const value of [minimum, maximum]) expect(accepts(endpoint, parameter, String(value))).toBe(true);
      for (const value of [Number(minimum) - 1, Number(maximum) + 1])
        expect(accepts(endpoint, parameter, String(value))).toBe(false);
    }
    if (type === "integer" || type === "number" || type === "boolean") {
      expect(accepts(endpoint, parameter, "many")).toBe(false);
    }
    if (type === "boolean")
      for (const value of ["true", "false"]) expect(accepts(endpoint, parameter, value)).toBe(true);
    if (maxItems !== undefined) {
      expect(accepts(endpoint, parameter, Array(maxItems).fill("A").join(","))).toBe(true);
      expect(
        accepts(
          endpoint,
          parameter,
          Array(maxItems + 1)
            .fill("A")
            .join(","),
        ),
      ).toBe(false);
    }
    for (const word of words ?? []) expect(accepts(endpoint, parameter, word)).toBe(true);
    if (byDefault !== undefined) {
      expect((endpoint.query.shape[parameter.name] as z.ZodType).parse(undefined)).toEqual(byDefault);
    }
  });
});

test("Every endpoint belongs to a group.", () => {
  expect(endpoints.filter(({ path }) => findGroup(path) === null).map(({ path }) => path)).toEqual([]);
});
