import { expect, test } from "vitest";
import { type Command, parseMoment, parseWords, splitList } from "@/cli/command";

const command: Command = {
  name: "key create",
  summary: "",
  options: {
    label: { value: "TEXT", help: "", required: true },
    kind: { value: "KIND", help: "", choices: ["standard", "tool"] },
  },
  run: () => Promise.reject(new Error("not run")),
};
const findRefusal = (...words: string[]) => {
  try {
    parseWords(command, words);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
};

test("The options of a command are parsed", () => {
  const { values, json, help } = parseWords(command, ["--label", "My bot", "--kind=tool", "--json"]);
  expect([values.text("label"), values.optional("kind"), json, help]).toEqual(["My bot", "tool", true, false]);
  expect(parseWords(command, ["--label=-x"]).values.optional("kind")).toBeUndefined();
});

test("With --help no option is required", () => {
  expect(parseWords(command, ["--help"]).help).toBe(true);
  expect(parseWords(command, ["-h"]).help).toBe(true);
});

test("Missing, unknown and invalid options and arguments are refused", () => {
  expect(findRefusal()).toBe("UsageError: --label is missing.");
  expect(findRefusal("--label", "a", "--kind", "admin")).toBe("UsageError: --kind must be one of standard, tool.");
  expect(findRefusal("--label", "a", "--colour", "red")).toBe("UsageError: Unknown option '--colour'.");
  expect(findRefusal("--label", "a", "b")).toBe("UsageError: Unexpected argument 'b'.");
  expect(findRefusal("--label")).toBe("UsageError: Option '--label <value>' argument missing.");
  expect(findRefusal("--label", "-5")).toBe("UsageError: A value that begins with a dash is written --label=VALUE.");
});

test("A command with a positional argument accepts exactly one", () => {
  const importing = { ...command, argument: { value: "FILE", help: "" }, options: {} };
  const parse =
    (...words: string[]) =>
    () =>
      parseWords(importing, words);
  expect(parseWords(importing, ["a.csv", "--json"])).toMatchObject({ json: true });
  expect(parseWords(importing, ["a.csv"]).values.text("argument")).toBe("a.csv");
  expect(parseWords(importing, ["--help"]).help).toBe(true);
  expect(parse()).toThrow("FILE is missing.");
  expect(parse("a", "b")).toThrow("Only one FILE at a time.");
});

test.each([
  ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["2027-01-31T12:30", "2027-01-31T12:30:00.000Z"],
  ["2027-01-31T12:30:15.5Z", "2027-01-31T12:30:15.500Z"],
  ["2027-01-31T12:30+02:00", "2027-01-31T10:30:00.000Z"],
])("The time %s is parsed, as UTC without an offset", (text, iso) => {
  expect(new Date(parseMoment("expires", text)).toISOString()).toBe(iso);
});

test.each([
  "",
  "tomorrow",
  "2027-02-30",
  "2027-13-01",
  "2027-01-31T25:00",
  "31.01.2027",
  "1800000000",
  "2027-01-31 12:30",
])("The text %j is refused as a time", (text) =>
  expect(() => parseMoment("expires", text)).toThrow("--expires must be a date and time"),
);

test("A list is split at commas", () => {
  expect(splitList("quotes, premium")).toEqual(["quotes", "premium"]);
});
