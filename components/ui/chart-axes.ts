/** The look of every chart's axes: times along the bottom, values at the right, where the latest ones are. */

/** The classes of a chart's plot: figures of equal width on its axes. */
export const PLOT_CLASS = "[&_.recharts-cartesian-axis-tick-value]:[font-variant-numeric:tabular-nums_slashed-zero]";

const tick = { fill: "var(--faint)", fontSize: 11, fontFamily: "var(--font-geist-mono)" } as const;

export const timeAxis = { tick, tickLine: false, axisLine: { stroke: "var(--line)" }, height: 20 } as const;

const valueAxis = { orientation: "right", tick, tickLine: false, axisLine: false } as const;

/** What a character of a label takes, and what is beside it. */
const CHARACTER_PX = 6.7;
const BESIDE_PX = 14;
const LEAST_WIDTH_PX = 76;

/** An axis of prices, at whole pips. It is as wide as its longest label. */
export function createPriceAxis(ticks: readonly number[], digits: number) {
  const longest = Math.max(0, ...ticks.map((price) => price.toFixed(digits).length));
  return {
    ...valueAxis,
    domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
    ticks: [...ticks],
    interval: 0,
    tickFormatter: (price: number) => price.toFixed(digits),
    width: Math.max(LEAST_WIDTH_PX, Math.ceil(longest * CHARACTER_PX) + BESIDE_PX),
  } as const;
}
