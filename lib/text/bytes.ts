const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** A number of bytes: "512 KB", "1.4 GB". Each unit is 1,000 times the one before. */
export function formatBytes(bytes: number): string {
  let size = bytes / 1_000;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}
