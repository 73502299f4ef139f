/** Formats a spread in pips; a dash for null. */
export function formatPips(pips: number | null, decimals = 2): string {
  return pips === null ? "–" : pips.toFixed(decimals);
}

/** Formats the distance of a spread from its average: "+12 %", "−8 %", "±0 %". A dash without one of them. */
export function formatRelation(current: number | null, average: number | null): string {
  if (current === null || average === null || average === 0) return "–";
  const percent = Math.round((current / average - 1) * 100);
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return `${sign}${Math.abs(percent)} %`;
}
