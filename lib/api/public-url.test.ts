import { expect, test } from "vitest";
import { findPublicUrl } from "@/lib/api/public-url";
import { loadConfig } from "@/lib/platform/config";

const findFor = (host: string | undefined, settings: Record<string, string> = {}) =>
  findPublicUrl({ header: (name) => (name === "host" ? host : undefined) }, loadConfig({ PORT: "3100", ...settings }));

test("The configured address is the site's for every caller", () => {
  const settings = { SPOTLINE_URL: "https://prices.example.com/" };
  for (const host of ["127.0.0.1:3100", "evil.example", undefined]) {
    expect(findFor(host, settings)).toBe("https://prices.example.com");
  }
});

test("Without one it is the address that the caller used", () => {
  expect(findFor("192.0.2.7:8080")).toBe("http://192.0.2.7:8080");
  expect(findFor("[::1]:3100")).toBe("http://[::1]:3100");
  expect(findFor("localhost")).toBe("http://localhost");
});

test.each([
  "evil.example",
  "127.0.0.1@evil.example",
  "127.0.0.1.evil.example",
  "127.0.0.1, evil.example",
  "",
  undefined,
])("The host “%s” is not repeated", (host) => {
  expect(findFor(host)).toBe("http://localhost:3100");
});

test("Only the host is repeated, not what a caller wrote after it", () => {
  expect(findFor("127.0.0.1:3100/evil?a=1#b")).toBe("http://127.0.0.1:3100");
  expect(findFor("evil@127.0.0.1:3100")).toBe("http://127.0.0.1:3100");
});
