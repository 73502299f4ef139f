import { describe, expect, test } from "vitest";
import { ApiError, ERROR_CODES } from "@/lib/api/engine/errors";

describe("the flat format", () => {
  test("says the status in words and in digits, and the message", () => {
    const error = new ApiError("INVALID_API_KEY", "The API key is not valid.");
    expect(JSON.parse(error.flatBody())).toEqual({
      error: "Unauthorized",
      message: "The API key is not valid.",
      code: 401,
    });
  });

  test("adds the seconds to wait to a 429, whether the minute or the day is used up", () => {
    for (const code of ["RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED"] as const) {
      const error = new ApiError(code, "Wait.", { limit: 3, reset_in_seconds: 17 });
      expect(JSON.parse(error.flatBody())).toEqual({
        error: "Rate Limited",
        message: "Wait.",
        code: 429,
        retry_after: 17,
      });
    }
  });

  test("leaves wrong methods, sizes and media types to the envelope, as everywhere under /v1", () => {
    for (const code of ERROR_CODES) {
      const error = new ApiError(code, "No.");
      const expected = [405, 413, 414, 415, 422].includes(error.status) ? "envelope" : "flat";
      expect("success" in (JSON.parse(error.flatBody()) as object) ? "envelope" : "flat").toBe(expected);
    }
  });
});
