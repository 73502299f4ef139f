/** What the two charts of recorded prices draw alike. */

export const tickText = { fill: "var(--faint)", fontSize: 11, fontFamily: "var(--font-geist-mono)" } as const;

/** The axis of prices, on the right, at whole pips. */
export function priceAxis(ticks: readonly number[], digits: number) {
  return {
    orientation: "right",
    domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
    ticks: [...ticks],
    interval: 0,
    tickFormatter: (price: number) => price.toFixed(digits),
    tick: tickText,
    tickLine: false,
    axisLine: false,
    width: 76,
  } as const;
}
