import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MINUTES_PER_HOUR } from "@/lib/history/hour-columns";
import type { Histogram } from "@/lib/history/spreads/spread-rollup";

/**
 * Encodes an hour's sixty histograms: for each minute the number of different spreads, then for each spread its distance
 * from the one below and its samples. All are variable-length integers, deflated: about a kilobyte per hour.
 */
export function encodeMinutes(minutes: readonly Histogram[]): Uint8Array {
  const bytes: number[] = [];
  for (const histogram of minutes) {
    writeInteger(bytes, histogram.size);
    let below = 0;
    for (const [spread, samples] of [...histogram].sort(([one], [other]) => one - other)) {
      writeInteger(bytes, spread - below);
      writeInteger(bytes, samples);
      below = spread;
    }
  }
  return deflateRawSync(Uint8Array.from(bytes));
}

/** Decodes the bytes of `encodeMinutes`. Throws an Error for any other bytes. */
export function decodeMinutes(deflated: Uint8Array): Histogram[] {
  const bytes = inflateRawSync(deflated);
  let at = 0;

  function readInteger(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("An hour of spreads ends too early");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  return Array.from({ length: MINUTES_PER_HOUR }, () => {
    const histogram = new Map<number, number>();
    let spread = 0;
    for (let left = readInteger(); left > 0; left--) {
      spread += readInteger();
      histogram.set(spread, readInteger());
    }
    return histogram;
  });
}

/** Seven bits per byte, the lowest first; the top bit means that more follow. */
function writeInteger(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
