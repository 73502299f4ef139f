import { expect, test } from "vitest";
import { describeDelivery, describeOutcome } from "@/features/alerts/types";

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const PENDING = {
  ...({ state: "pending", tries: 0, dueAtMs: NOW_MS, durationMs: null, responseStatus: null } as const),
  ...{ responseText: null, error: null },
};

test("A message is being sent, waits for its next try, is delivered or has failed", () => {
  expect(describeOutcome(PENDING, NOW_MS)).toEqual({ look: "waiting", text: "being sent" });
  const refused = { ...PENDING, tries: 2, responseStatus: 500, durationMs: 40, dueAtMs: NOW_MS + 30_000 };
  expect(describeOutcome(refused, NOW_MS)).toEqual({
    look: "waiting",
    text: "try 2 of 8 failed (status 500), next in 30 s",
  });
  expect(describeOutcome({ ...refused, dueAtMs: NOW_MS + 7_200_000 }, NOW_MS).text).toContain("next in 2 h");
  const sent = { ...PENDING, state: "delivered", tries: 1, responseStatus: 200, durationMs: 43 } as const;
  expect(describeOutcome(sent, NOW_MS)).toEqual({ look: "good", text: "delivered, 200 in 43 ms" });
  const failed = { ...PENDING, state: "failed", tries: 1, error: "There was no answer." } as const;
  expect(describeOutcome(failed, NOW_MS)).toEqual({
    look: "failed",
    text: "failed after one try: There was no answer.",
  });
});

test("A message is named by its channel", () => {
  const names = new Map([["one", "desk"]]);
  const describe = (channel: "mail" | "webhook", webhookId: string | null) =>
    describeDelivery({ ...PENDING, lastAtMs: null, channel, webhookId, deviceId: null }, names, NOW_MS).channel;
  expect(describe("mail", null)).toBe("mail");
  expect(describe("webhook", "one")).toBe("webhook desk");
  expect(describe("webhook", "other")).toBe("deleted webhook");
});
