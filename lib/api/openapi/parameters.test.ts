import { describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { parseBody, parseQuery } from "@/lib/api/engine/input";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { quotes } from "@/lib/api/quotes/quote";
import { endpoints } from "@/lib/api/registry";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: {
    readonly type: string;
    readonly format?: string;
    readonly pattern?: string;
    readonly examples?: readonly string[];
    readonly items?: { readonly enum?: readonly string[] };
    readonly const?: string;
    readonly minItems?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
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

/** Words that no name may be in the languages of clients; what the specification itself calls from and type is excepted. */
const RESERVED = new Set(
  (
    "abstract and as assert async await bool boolean break case catch char class const continue debugger def default " +
    "delete do double elif else enum except export extends extern false final finally float for func function global goto " +
    "if implements import in inline int interface is lambda let long match mod module mut namespace native new nil none " +
    "not null object operator or package pass private protected public raise return self short signed static string " +
    "struct super switch template this throw throws trait true try typedef typeof union unsafe unsigned use using var " +
    "virtual void volatile where while with yield"
  ).split(" "),
);

test("No parameter has a name that a language of clients reserves", () => {
  const names = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)),
  );
  expect(names).toContain("symbol");
  expect(names.filter((name) => RESERVED.has(name.toLowerCase()))).toEqual([]);
});

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

/** Values of the parameters that an endpoint requires. */
const VALID: Readonly<Record<string, string>> = {
  ...{ symbol: "EURUSD", symbols: "EURUSD", indicator: "RSI_14", indicators: "RSI_14", what: "bars", token: "t" },
  ...{ from: "2026-11-20T13:00:00Z", to: "2026-11-20T14:00:00Z" },
};

/** The codes of refusals by the parameter, as the specification has them; VALIDATION_ERROR for any other. */
const CODES: Readonly<Record<string, string>> = {
  ...{ at: "INVALID_DATETIME", from: "INVALID_DATETIME", to: "INVALID_DATETIME", date: "INVALID_DATETIME" },
  ...{ timeframe: "INVALID_TIMEFRAME", period: "INVALID_PERIOD", sort: "INVALID_SORT", impact: "INVALID_IMPACT" },
  ...{ type: "INVALID_TYPE", what: "INVALID_TYPE", "category of /v1/indicators": "INVALID_CATEGORY" },
};
const OF_CALENDAR = /^\/v1\/calendar/;

const NO_NUMBERS = ["", "many", "1e2", "+5", "-1", "0x10", "5.0"];
const NO_TIMES = [
  "",
  "yesterday",
  "2026-02-30",
  "2026-13-01T00:00:00Z",
  "1969-12-31",
  "9999-01-01",
  "1763640",
  "-1",
  "1763640000.5",
];
const NO_TIMEFRAMES = ["", "H25", "D2", "Y1", "1M", "W2", "M1441"];

/** Words are exact, except the names of timeframes. */
const otherCase = (name: string, word = "") =>
  name === "timeframe" ? [] : [word.toUpperCase()].filter((each) => each !== word);

/** Values that a parameter must refuse, each with what the message says of it. */
function listWrong({ name, schema }: Parameter): [value: string, message: string][] {
  const { type, minimum = 0, maximum = 0, minItems, maxItems, minLength, maxLength, format, pattern } = schema;
  const all = (values: readonly string[], message: string) => values.map((value): [string, string] => [value, message]);
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (type === "integer") {
    const outside = [...(minimum === 0 ? [] : [String(minimum - 1)]), String(maximum + 1)];
    return all([...NO_NUMBERS, ...outside], `must be a whole number from ${minimum} to ${maximum}`);
  }
  if (type === "number") return all(["", "1e2", "NaN", "+1", "1.", "many"], "must be a decimal number");
  if (type === "boolean") return all(["", "yes", "2"], "must be true, false, 1 or 0");
  if (format === "date-time") return all(NO_TIMES, "must be");
  if (pattern !== undefined) return all(NO_TIMEFRAMES, "must be one of");
  if (name === "category" && minLength !== undefined) return all([""], "must not be empty");
  if (words !== undefined) return all(["", "nope", `${words[0]},`, ...otherCase(name, words[0])], "must be");
  if (schema.items?.enum !== undefined) return all(["", "nope", `${schema.items.enum[0]},`], "must");
  if (name === "symbols" && maxItems !== undefined && minItems !== undefined)
    return [
      ...all(["", " ", ","], "must name at least one symbol"),
      ["A,".repeat(maxItems) + "A", "must name at most"],
      ["A,", "must not contain an empty name"],
    ];
  if (maxItems !== undefined)
    return [
      ["A,".repeat(maxItems) + "A", "must name at most"],
      ["A,", "must not contain an empty name"],
    ];
  // A symbol that is too long is not found.
  const long = maxLength === undefined || name === "symbol" ? [] : ["x".repeat(maxLength + 1)];
  return minLength === undefined ? [] : all(["", ...long], "must");
}

function findCode({ path }: Endpoint, { name, schema }: Parameter, value: string): [code: string, status: number] {
  if (name === "symbols" && value !== "A,") return [value.length > 3 ? "TOO_MANY_SYMBOLS" : "NO_SYMBOLS", 400];
  if (OF_CALENDAR.test(path) && name === "source") return ["INVALID_SOURCE", 400];
  if (OF_CALENDAR.test(path) && (schema.type === "integer" || name === "q")) return ["VALIDATION_ERROR", 422];
  return [CODES[`${name} of ${path}`] ?? CODES[name] ?? "VALIDATION_ERROR", 400];
}

function readRefusal(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, code: error.wireCode, message: error.message, ...error.extra };
  }
  return "accepted";
}

describe("What a parameter refuses, with its name and the code of the specification", () => {
  test.each(described)("$title", ({ endpoint, parameter }) => {
    const { name, required, schema } = parameter;
    const { pattern } = schema;
    const given = described.filter((each) => each.endpoint === endpoint && each.parameter.required);
    const others = given.flatMap(({ parameter: each }) =>
      each.name === name ? [] : `${each.name}=${VALID[each.name]}`,
    );
    const refuse = (...own: string[]) => readRefusal(() => parseQuery([...others, ...own].join("&"), endpoint.query));
    if (required) expect(refuse()).toEqual({ status: 400, code: "VALIDATION_ERROR", message: `${name} is required` });
    const isSource = name === "source" && OF_CALENDAR.test(endpoint.path);
    expect(refuse(`${name}=a`, `${name}=a`)).toMatchObject({
      ...{ status: 400, code: isSource ? "INVALID_SOURCE" : "VALIDATION_ERROR" },
      message: `${name} must be given only once`,
    });
    for (const [value, said] of listWrong(parameter)) {
      const [code, status] = findCode(endpoint, parameter, value);
      const message = expect.stringMatching(new RegExp(`^${name}\\S* ${said}`)) as unknown;
      const refused = refuse(`${name}=${encodeURIComponent(value)}`);
      expect({ value, refused }).toMatchObject({ value, refused: { status, code, message } });
      if (status === 422) expect(refused).toMatchObject({ details: [{ loc: ["query", name] }] });
      // A code of its own comes with the words that are accepted.
      const words = schema.enum ?? (pattern === undefined ? undefined : schema.examples);
      if (words !== undefined && code !== "VALIDATION_ERROR") expect(Object.values(refused)).toContainEqual(words);
    }
  });

  test.each([
    ["{}", "symbols is required"],
    ['{"symbols":null}', "symbols must be an array of strings"],
    ['{"symbols":"EURUSD"}', "symbols must be an array of strings"],
    ['{"symbols":[""]}', "symbols must not contain an empty symbol"],
    ['{"symbols":[1]}', "symbols must contain only strings"],
    [
      '{"symbols":["EURUSD"],"fields":["volume"]}',
      "fields must contain only bid, ask, spread, spread_pips, timestamp, source",
    ],
    ['{"symbols":["EURUSD"],"fields":[]}', "fields must name at least one field"],
    ["[]", "the body must be a JSON object"],
    ["null", "the body must be a JSON object"],
    ['{"symbols":', "the body is not valid JSON in UTF-8"],
    ["", "the body is empty"],
  ])("the body %s of /v1/quotes", (body, message) => {
    const refused = readRefusal(() => parseBody(body, quotes.body as NonNullable<Endpoint["body"]>));
    expect(refused).toEqual({ status: 400, code: "VALIDATION_ERROR", message });
  });
});

test("Every endpoint belongs to a group.", () => {
  expect(endpoints.filter(({ group }) => group === undefined).map(({ path }) => path)).toEqual([]);
});
