import { slices } from "@/lib/platform/timing/slices";

/** Joins the parts of an answer of megabytes, some in each turn of the event loop. */
export async function joinParts(parts: readonly Buffer[]): Promise<Buffer> {
  const joined = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  await slices.map(parts, (part) => (at += part.copy(joined, at)));
  return joined;
}
