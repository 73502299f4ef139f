import { expect, test } from "vitest";
import { type Command, parseWords } from "@/cli/command";

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
