import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";

/**
 * Volume is tick volume, the number of price updates. OBV and AD add up from the first bar of the input: only their
 * changes have a meaning, not their level.
 */

/** On-balance volume (OBV.mq5). */
function createOnBalanceVolume(): Stream {
  let balance = 0;
  let previousClose: number | null = null;
  return {
    push(bar) {
      // The sample starts with the first bar's volume, as after a rise.
      if (previousClose === null || bar.close > previousClose) balance += bar.volume;
      else if (bar.close < previousClose) balance -= bar.volume;
      previousClose = bar.close;
      return balance;
    },
  };
}

/** Accumulation/distribution (AD.mq5). A bar without range adds nothing. */
function createAccumulation(): Stream {
  let total = 0;
  return {
    push(bar) {
      const range = bar.high - bar.low;
      if (range !== 0) total += ((bar.close - bar.low - (bar.high - bar.close)) / range) * bar.volume;
      return total;
    },
  };
}

const shared = {
  aliases: [],
  category: "volume",
  warmUp: 1,
  range: null,
  decimals: "volume",
  shape: "B",
} satisfies Partial<IndicatorDefinition>;

export const onBalanceVolume: IndicatorDefinition = {
  ...shared,
  name: "OBV",
  description:
    "On-balance volume: updates of rising bars less those of falling bars, counted from the first bar of the history",
  formula: "previous + volume if the close rose, − volume if it fell; starts with the first bar's volume",
  create: createOnBalanceVolume,
};

export const accumulation: IndicatorDefinition = {
  ...shared,
  name: "AD",
  description:
    "Accumulation/distribution: volume weighted by where the bar closed, counted from the first bar of the history",
  formula: "previous + volume × ((close − low) − (high − close)) / (high − low)",
  create: createAccumulation,
};

export const volumes: IndicatorDefinition = {
  ...shared,
  name: "Volumes",
  description: "Tick volume: price updates in the bar",
  formula: "volume",
  create: () => ({ push: (bar) => bar.volume }),
};
