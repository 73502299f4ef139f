import { expect, test } from "vitest";
import { readAccountQuery } from "@/features/operator/account-query";

test("reads what the address asks for", () => {
  expect(readAccountQuery({ search: " ann ", state: "suspended", plan: "pro", page: "3" })).toEqual({
    search: "ann",
    state: "suspended",
    plan: "pro",
    page: 3,
  });
});

test("takes what makes no sense for nothing", () => {
  const nothing = { search: "", state: undefined, plan: undefined, page: 1 };
  expect(readAccountQuery({})).toEqual(nothing);
  for (const page of ["0", "-1", "1.5", "x", "1e9", ""]) {
    expect(readAccountQuery({ state: "gone", plan: "gold", search: "\0", page })).toEqual(nothing);
  }
  expect(readAccountQuery({ search: ["ann", "bob"] })).toMatchObject({ search: "ann" });
});
