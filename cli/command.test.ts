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
const refusal = (...words: string[]) => {
  try {
    parseWords(command, words);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
};

test("reads the options of a command", () => {
  const { values, json, help } = parseWords(command, ["--label", "My bot", "--kind=tool", "--json"]);
  expect([values.text("label"), values.optional("kind"), json, help]).toEqual(["My bot", "tool", true, false]);
  expect(parseWords(command, ["--label=-x"]).values.optional("kind")).toBeUndefined();
});

test("asks for nothing else where help is wanted", () => {
  expect(parseWords(command, ["--help"]).help).toBe(true);
  expect(parseWords(command, ["-h"]).help).toBe(true);
});

test("refuses what its help does not name", () => {
  expect(refusal()).toBe("UsageError: --label is missing.");
  expect(refusal("--label", "a", "--kind", "admin")).toBe("UsageError: --kind must be one of standard, tool.");
  expect(refusal("--label", "a", "--colour", "red")).toBe("UsageError: Unknown option '--colour'.");
  expect(refusal("--label", "a", "b")).toBe("UsageError: Unexpected argument 'b'.");
  expect(refusal("--label")).toBe("UsageError: Option '--label <value>' argument missing.");
  expect(refusal("--label", "-5")).toBe("UsageError: A value that begins with a dash is written --label=VALUE.");
});

test("takes one word without a name where a command asks for it", () => {
  const importing = { ...command, argument: { value: "FILE", help: "" }, options: {} };
  const wrong =
    (...words: string[]) =>
    () =>
      parseWords(importing, words);
  expect(parseWords(importing, ["a.csv", "--json"])).toMatchObject({ json: true });
  expect(parseWords(importing, ["a.csv"]).values.text("argument")).toBe("a.csv");
  expect(parseWords(importing, ["--help"]).help).toBe(true);
  expect(wrong()).toThrow("FILE is missing.");
  expect(wrong("a", "b")).toThrow("Only one FILE at a time.");
});
