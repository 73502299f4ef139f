/** The look of every chart's axes: times along the bottom, values at the right, where the latest ones are. */

/** The classes of a chart's plot: figures of equal width on its axes. */
export const PLOT_CLASS = "[&_.recharts-cartesian-axis-tick-value]:[font-variant-numeric:tabular-nums_slashed-zero]";

const tick = { fill: "var(--faint)", fontSize: 11, fontFamily: "var(--font-geist-mono)" } as const;

export const timeAxis = { tick, tickLine: false, axisLine: { stroke: "var(--line)" }, height: 20 } as const;

const valueAxis = { orientation: "right", tick, tickLine: false, axisLine: false } as const;

/** An axis of prices, at whole pips. */
export function createPriceAxis(ticks: readonly number[], digits: number) {
  return {
    ...valueAxis,
    domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
    ticks: [...ticks],
    interval: 0,
    tickFormatter: (price: number) => price.toFixed(digits),
    width: 76,
  } as const;
}
