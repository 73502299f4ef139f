import { expect, test } from "vitest";
import { findFormPage, toAddress } from "@/features/session/address";

test("The address of a page has the parameters that it was opened with", () => {
  expect(toAddress("/quotes", {})).toBe("/quotes");
  expect(toAddress("/quotes", { q: "eur/usd & gold", sort: undefined, open: ["A", "B"] })).toBe(
    "/quotes?q=eur%2Fusd+%26+gold",
  );
});

test("The page of a form is the one that the browser names, if it is of this site", () => {
  const find = (referer?: string, origin = "https://prices.example") =>
    findFormPage(new Headers(referer === undefined ? { origin } : { origin, referer }));
  expect(find("https://prices.example/keys/new?kind=tool")).toBe("/keys/new?kind=tool");
  expect(find("https://evil.example/keys/new")).toBeNull();
  expect(find("about:blank")).toBeNull();
  expect(find()).toBeNull();
});
