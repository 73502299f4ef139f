import { expect, test } from "vitest";
import { readAccountQuery } from "@/features/operator/account-table";

test("An address is read as a filter and a page", () => {
  expect(readAccountQuery({ search: " ann ", state: "suspended", plan: "pro", page: "3" })).toEqual({
    search: "ann",
    state: "suspended",
    plan: "pro",
    page: 3,
  });
});

test("Invalid values of an address are ignored", () => {
  const nothing = { search: "", state: undefined, plan: undefined, page: 1 };
  expect(readAccountQuery({})).toEqual(nothing);
  for (const page of ["0", "-1", "1.5", "x", "1e9", ""]) {
    expect(readAccountQuery({ state: "gone", plan: "gold", search: "\0", page })).toEqual(nothing);
  }
  expect(readAccountQuery({ search: ["ann", "bob"] })).toMatchObject({ search: "ann" });
});
