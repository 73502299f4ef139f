import { describe, expect, test } from "vitest";
import { ApiError, ERROR_CODES } from "@/lib/api/engine/errors";

describe("the flat format", () => {
  test("has the title and the number of the status, and the message", () => {
    const error = new ApiError("INVALID_API_KEY", "The API key is not valid.");
    expect(JSON.parse(error.flatBody())).toEqual({
      error: "Unauthorized",
      message: "The API key is not valid.",
      code: 401,
    });
  });

  test("has the seconds to wait with a 429, for the minute limit and the daily quota", () => {
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

  test("is not used for statuses without a title, which are answered in the envelope", () => {
    for (const code of ERROR_CODES) {
      const error = new ApiError(code, "No.");
      const expected = [400, 401, 403, 404, 429, 500, 503].includes(error.status) ? "flat" : "envelope";
      expect("success" in (JSON.parse(error.flatBody()) as object) ? "envelope" : "flat").toBe(expected);
    }
  });
});
