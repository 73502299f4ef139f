import { expect, test } from "vitest";
import { isKnownHost } from "@/lib/platform/known-host";

const URL_OF_SITE = "https://prices.example.com/";

test.each([
  "localhost:3000",
  "spotline.localhost",
  "127.0.0.1:3000",
  "10.1.2.3",
  "[::1]:3000",
  "prices.example.com",
  "prices.example.com.:3000",
  "localhost.",
])("%s is a host of this site", (host) => {
  expect(isKnownHost(host, URL_OF_SITE)).toBe(true);
});

test.each([
  null,
  "",
  "evil.example:3000",
  "prices.example.com.evil.example",
  "prices.example.com..",
  "localhost.evil.example",
  "a b",
  "::1",
])("%s is no host of this site", (host) => {
  expect(isKnownHost(host, URL_OF_SITE)).toBe(false);
  expect(isKnownHost(host, null)).toBe(false);
});

test("A name is known only if it is configured", () => {
  expect(isKnownHost("prices.example.com", undefined)).toBe(false);
  expect(isKnownHost("Prices.Example.com:8443", URL_OF_SITE)).toBe(true);
});
