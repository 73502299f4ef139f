/**
 * Fields that all instruments share unless their file sets them. Overnight financing is null: only the broker defines
 * it.
 */
export const DEFAULTS = {
  minVolume: 0.01,
  maxVolume: 100,
  volumeStep: 0.01,
  swapLong: null,
  swapShort: null,
  aliases: [],
} as const;
