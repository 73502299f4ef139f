import { expect, test } from "vitest";
import { findOriginHost, isFromOwnOrigin } from "@/features/session/own-origin";

const check = (headers: Record<string, string>, url: string | null = null) =>
  isFromOwnOrigin(new Headers(headers), url);

test("A page of this site is recognized by the host that was used or configured", () => {
  expect(check({ host: "localhost:3000", origin: "http://localhost:3000" })).toBe(true);
  expect(check({ host: "10.0.0.5:3000", origin: "https://prices.example.com" }, "https://prices.example.com/")).toBe(
    true,
  );
  const proxied = { host: "10.0.0.5:3000", "x-forwarded-host": "prices.example.com" };
  expect(check({ ...proxied, origin: "https://prices.example.com" })).toBe(true);
});

test.each([
  [{}],
  [{ origin: "null" }],
  [{ origin: "" }],
  [{ origin: "https://evil.example" }],
  [{ origin: "http://localhost:3001" }],
  [{ origin: "http://localhost:3000.evil.example" }],
  [{ origin: "http://localhost:3000@evil.example" }],
  [{ origin: "//localhost:3000" }],
  [{ referer: "http://localhost:3000/keys" }],
])("A request with the headers %j is not from this site", (headers) => {
  expect(check({ host: "localhost:3000", ...headers })).toBe(false);
});

test("The host of the page that sent a request is that of its origin", () => {
  const find = (headers: Record<string, string>) => findOriginHost(new Headers(headers));
  expect(find({ host: "127.0.0.1:3000", origin: "http://localhost:3000" })).toBe("localhost:3000");
  expect(find({ host: "127.0.0.1:3000" })).toBeNull();
  expect(find({ host: "127.0.0.1:3000", origin: "null" })).toBeNull();
});
