import { describe, expect, test } from "vitest";
import { HOME_PATH, safeNextPath } from "@/features/sign-in/next-path";

describe("safeNextPath", () => {
  test.each(["/keys", "/keys/new", "/quotes?category=metals#top"])("keeps the local path %s", (path) => {
    expect(safeNextPath(path)).toBe(path);
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
  ])("sends %j home", (raw) => {
    expect(safeNextPath(raw)).toBe(HOME_PATH);
  });

  test.each(["/sign-in", "/sign-up?next=/keys", "/api/auth/signout", "/v1/quote"])(
    "does not lead back to %s, which is no page to arrive at",
    (path) => {
      expect(safeNextPath(path)).toBe(HOME_PATH);
    },
  );
});
