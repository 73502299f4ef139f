import { expect, test } from "vitest";
import { expectError, onEveryServer, readData } from "@/e2e/api/servers";
import { CURRENCIES } from "@/lib/analytics/strength/currencies";
import { heatmapReply } from "@/lib/api/indicators/heatmap-replies";

interface Heatmap {
  type: string;
  timeframe: string;
  currencies: Record<string, { strength: number; trend: string; change: number; pairs_analyzed: number }>;
  strongest: string | null;
  weakest: string | null;
  range: number;
  timestamp: string;
}

onEveryServer(({ keys }, send) => {
  test.each(["", "?timeframe=H1", "?timeframe=D1&type=strength", "?timeframe=W1"])(
    "/v1/heatmap%s ranks the eight currencies, or answers 404 with too few bars",
    async (search) => {
      const reply = await send(`/v1/heatmap${search}`);
      if (reply.status === 404) return expectError(reply, 404, "DATA_NOT_FOUND");
      const data = readData<Heatmap>(reply);
      expect(() => heatmapReply.parse(reply.json)).not.toThrow();
      expect(data).toMatchObject({
        type: "strength",
        timeframe: new URLSearchParams(search).get("timeframe") ?? "H4",
      });
      expect(Object.keys(data.currencies)).toEqual([...CURRENCIES]);
      const strengths = CURRENCIES.map((name) => data.currencies[name]?.strength as number);
      expect(data.currencies[data.strongest ?? "USD"]?.strength).toBe(Math.max(...strengths));
      expect(data.currencies[data.weakest ?? "USD"]?.strength).toBe(Math.min(...strengths));
      expect(data.range).toBeCloseTo(Math.max(...strengths) - Math.min(...strengths), 2);
      expect(reply.headers.get("x-data-mode")).toBe("simulated");
      expect(Date.parse(data.timestamp)).toBeLessThanOrEqual(Date.now());
      expect(reply.text).not.toMatch(/\d\.\d{3,}(?!\d*Z)|-0[,}]/);
    },
  );

  test("The correlation is answered as not available", async () => {
    const reply = await send("/v1/heatmap?type=correlation&timeframe=D1");
    expect(readData(reply)).toMatchObject({
      type: "correlation",
      timeframe: "D1",
      correlation_matrix: {},
      available: false,
    });
    expect(() => heatmapReply.parse(reply.json)).not.toThrow();
  });

  test.each([
    ["type=volume", "INVALID_TYPE"],
    ["type=", "INVALID_TYPE"],
    ["type=Strength", "INVALID_TYPE"],
    ["timeframe=M15", "INVALID_TIMEFRAME"],
    ["timeframe=", "INVALID_TIMEFRAME"],
    ["timeframe=H1&timeframe=H4", "VALIDATION_ERROR"],
  ])("/v1/heatmap?%s is refused with %s", async (search, code) =>
    expectError(await send(`/v1/heatmap?${search}`), 400, code),
  );

  test("/v1/heatmap needs the scope premium", async () => {
    expectError(await send("/v1/heatmap", { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
  });
});
