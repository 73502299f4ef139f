import { describe, expect, test } from "vitest";
import { HOME_PATH, toSafeNextPath } from "@/features/sign-in/next-path";

describe("safeNextPath", () => {
  test.each(["/keys", "/keys/new", "/quotes?category=metals#top"])("The local path %s is kept", (path) => {
    expect(toSafeNextPath(path)).toBe(path);
  });

  test.each([
    undefined,
    ["/keys"],
    "",
    "keys",
    "//evil.example",
    "/\\evil.example",
    "/a\\b",
    "\\\\evil.example",
    "https://evil.example/keys",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    " /keys",
    "/keys\r\nSet-Cookie: a=b",
  ])("The path %j leads to the first page instead", (raw) => {
    expect(toSafeNextPath(raw)).toBe(HOME_PATH);
  });

  test.each(["/sign-in", "/sign-up?next=/keys", "/api/auth/signout", "/v1/quote"])(
    "The path %s is no page to return to and leads to the first page instead",
    (path) => {
      expect(toSafeNextPath(path)).toBe(HOME_PATH);
    },
  );
});
