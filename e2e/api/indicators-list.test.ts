import { expect, test } from "vitest";
import { type DataOf, keys, readData, send } from "@/e2e/api/server";
import type { indicatorsListReply } from "@/lib/api/indicators/readings-replies";

type List = DataOf<typeof indicatorsListReply>;

test("The list has the 42 indicators by category, each with formula, warm-up and range", async () => {
  const reply = await send("/v1/indicators/list", { key: keys.indicatorsOnly });
  const { indicators, timeframes, categories } = readData<List>(reply);
  expect(Object.keys(indicators)).toEqual(categories);
  expect(timeframes).toEqual(["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"]);
  const described = Object.values(indicators).flatMap((category) => Object.entries(category));
  expect(described).toHaveLength(42);
  for (const [, description] of described) expect(description).toMatch(/\. Formula: .+\. Warm-up: \d+ bars?\. Range: /);
  expect(indicators.oscillator?.RSI_14).toMatch(/Warm-up: 15 bars\. Range: 0 to 100\.$/);
});

test("include=details answers an object for each indicator", async () => {
  const reply = await send("/v1/indicators/list?include=details");
  expect(reply.json).toMatchObject({
    data: {
      indicators: {
        oscillator: {
          WilliamsR_14: {
            warm_up_bars: 14,
            range: { min: -100, max: 0 },
            aliases: ["Williams_R_14"],
            reading: "flat",
          },
        },
      },
    },
  });
  const families = await send("/v1/indicators/list?include=families");
  expect(readData<{ families: object[] }>(families).families).toContainEqual(
    expect.objectContaining({
      name: "BBands",
      pattern: "BBands_{period}_{deviations}_{line}",
      parameters: [
        { name: "period", default: 20, min: 2, max: 500, decimals: 0 },
        { name: "deviations", default: 2, min: 0.1, max: 10, decimals: 2 },
      ],
    }),
  );
});
