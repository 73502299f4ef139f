const two = (value: number): string => String(value).padStart(2, "0");

/** The age of a price in the fewest words that still tick: "8s", "4m 12s", "2h 05m", "3d 4h". A clock behind the broker's gives "0s". */
export function ageText(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
