import { expect, test } from "vitest";
import { MessageLimit } from "@/lib/api/mcp/message-limit";
import { MINUTE_MS } from "@/lib/time/units";

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const key = { id: "one", perMinute: 5 };

test("A key may send twice its calls and sixty messages more in a minute, and each key has its own limit", () => {
  const limit = new MessageLimit();
  for (let message = 0; message < 70; message++) limit.count(key, NOW_MS);
  expect(() => limit.count(key, NOW_MS + 45_500)).toThrow(
    expect.objectContaining({ code: "RATE_LIMIT_EXCEEDED", headers: "Retry-After: 15\r\n" }) as Error,
  );
  expect(() => limit.count({ ...key, id: "two" }, NOW_MS)).not.toThrow();
  expect(() => limit.count(key, NOW_MS + MINUTE_MS)).not.toThrow();
});
