import { expect, test } from "vitest";
import { formatDataMode } from "@/components/shell/data-mode-badge";

test("Simulated prices say at the weekend that real markets are closed", () => {
  expect(formatDataMode("simulated", "prices", true)).toEqual({
    label: "Simulated weekend",
    text: expect.stringContaining("real markets are closed, the simulation goes on"),
  });
  expect(formatDataMode("simulated", "prices", false)?.label).toBe("Simulated");
  expect(formatDataMode("simulated", "events", true)?.label).toBe("Simulated");
  expect(formatDataMode("replay", "prices", true)?.label).toBe("Replay");
  expect(formatDataMode("live", "prices", true)).toBeNull();
});
