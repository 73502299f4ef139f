import { expect, test } from "vitest";
import { formatWhen } from "@/features/overview/part";

const late = Date.UTC(2026, 10, 22, 23, 30);

test("A moment has its weekday on another day of the zone than now", () => {
  expect(formatWhen(late + 600_000, late, "UTC")).toBe("23:40");
  expect(formatWhen(late + 3_600_000, late, "UTC")).toBe("Mon 00:30");
  expect(formatWhen(late + 3_600_000, late, "Asia/Tokyo")).toBe("09:30");
});
