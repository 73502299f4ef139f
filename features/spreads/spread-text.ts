/** A spread in pips as the page shows it; a dash where there is none. */
export function formatPips(pips: number | null, decimals = 2): string {
  return pips === null ? "–" : pips.toFixed(decimals);
}

/** How far a spread lies from its average: "+12 %", "−8 %", "±0 %". A dash where that makes no sense. */
export function formatRelation(current: number | null, average: number | null): string {
  if (current === null || average === null || average === 0) return "–";
  const percent = Math.round((current / average - 1) * 100);
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return `${sign}${Math.abs(percent)} %`;
}
