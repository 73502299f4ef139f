/**
 * Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment); Infinity above `most`.
 */
export function computeEditDistance(one: string, other: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
      current.push(distance);
      least = Math.min(least, distance);
    }
    // A swap may still refer back one row for one error less.
    if (least > most + 1) return Infinity;
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
