import { describe, expect, test } from "vitest";
import { DatabaseUnavailable, describeFault, isDatabaseUnavailable } from "./database-errors";

const postgres = (code: string, message: string) => Object.assign(new Error(message), { severity: "ERROR", code });

describe("A failure of the database", () => {
  test.each([
    ["a lost connection", new Error("Connection terminated unexpectedly")],
    ["no connection in time", new Error("timeout exceeded when trying to connect")],
    ["too many connections", postgres("53300", "sorry, too many clients already")],
    ["a cancelled statement", postgres("57014", "canceling statement due to statement timeout")],
    ["an idle transaction", postgres("25P03", "terminating connection due to idle-in-transaction timeout")],
    ["a lock in vain", postgres("55P03", "canceling statement due to lock timeout")],
    ["Prisma's error", { code: "P2024", message: "\nInvalid `prisma.user.findMany()` invocation\n\nTimed out" }],
    ["one in another", new Error("it failed", { cause: postgres("57P01", "terminating connection") })],
  ])("is told in our words, and is answered with 503: %s", (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(describeFault(error)).toBe("the database cannot be reached");
  });

  test("is told with the address where there is one", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
    const both = Object.assign(new AggregateError([refused]), { code: "ECONNREFUSED" });
    expect(describeFault(both)).toBe("connect ECONNREFUSED 127.0.0.1:5432");
    expect(new DatabaseUnavailable("db:5432/fx", both).message).toBe(
      "The database db:5432/fx cannot be reached: connect ECONNREFUSED 127.0.0.1:5432",
    );
    const late = new DatabaseUnavailable("db:5432/fx", new Error("timeout expired"));
    expect(describeFault(late)).toBe("The database db:5432/fx cannot be reached");
  });

  test("is told without the words of PostgreSQL when it refuses a value", () => {
    const error = postgres("22P05", "unsupported Unicode escape sequence");
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(describeFault(error)).toBe("the database refused it, with the code 22P05");
  });
});
