const units = ["KB", "MB", "GB", "TB"] as const;

/** A number of bytes as people read it: "512 KB", "1.4 GB". Each unit is 1,000 of the one before. */
export function sizeText(bytes: number): string {
  let size = bytes / 1_000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** Whole seconds as their two largest units: "3 d 4 h", "5 min 2 s". */
export function durationText(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
