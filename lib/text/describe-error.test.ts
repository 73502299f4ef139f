import { expect, test } from "vitest";
import { describeError } from "@/lib/text/describe-error";

class Odd extends Error {
  override get message(): string {
    throw new Error("no message of this");
  }
}

test.each([
  ["an error", new Error("The disk is full"), "The disk is full"],
  ["a text", "The disk is full", "The disk is full"],
  [
    "an error of several lines",
    new Error("Not valid:\n  PORT: is not a number"),
    "Not valid:\n  PORT: is not a number",
  ],
  [
    "errors of a host with two addresses",
    new AggregateError([new Error("no way to ::1"), new Error("no way to 127.0.0.1")]),
    "no way to ::1; no way to 127.0.0.1",
  ],
  ["equal errors", new AggregateError([new Error("refused"), { message: "refused" }]), "refused"],
  ["an error with only a cause", new Error("", { cause: new Error("the cause") }), "the cause"],
  ["an error with only a code", Object.assign(new Error(""), { code: "EACCES" }), "EACCES"],
  ["an error of another realm", { message: "from elsewhere" }, "from elsewhere"],
  ["an answer of a program", { error: { message: "no such thing" } }, "no such thing"],
  [
    "Prisma's text",
    new Error("\nInvalid `prisma.user.findMany()` invocation in\n/a/b.ts:3:4\n\n\nCan't reach it"),
    "Can't reach it",
  ],
  ["an object that was made a text", new Error("[object Object]"), "no reason was given"],
  ["a text that was spread into an object", { ...[..."timeout"] }, "no reason was given"],
  ["the same as a text", new Error(JSON.stringify({ ...[..."timeout"] })), "no reason was given"],
  ["nothing", undefined, "no reason was given"],
  ["null", null, "no reason was given"],
  ["a number", 5, "no reason was given"],
  ["a symbol", Symbol("x"), "no reason was given"],
  ["blanks", "  \n", "no reason was given"],
  ["an error that cannot be read", new Odd(), "no reason was given"],
  [
    "a circle",
    (() => {
      const error = new Error("");
      error.cause = error;
      return error;
    })(),
    "no reason was given",
  ],
])("Of %s, people read a reason and never an object", (_, thrown, expected) => {
  expect(describeError(thrown)).toBe(expected);
});
