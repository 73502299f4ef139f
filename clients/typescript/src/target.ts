/** Formats a path and its query: lists are one value, separated by commas; what is undefined is left out. */
export function formatTarget(path: string, query: object = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(formatValue(value)).replaceAll("%2C", ",")}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function formatValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}
