import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MINUTES_PER_HOUR } from "@/lib/history/spreads/spread-hour";
import type { Histogram } from "@/lib/history/spreads/spread-rollup";

/**
 * An hour's sixty histograms as bytes: for each minute the number of different spreads, then each spread as its distance
 * from the one below it and its samples, all as variable-length integers, deflated. About a kilobyte an hour.
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

/** Reads what `encodeMinutes` wrote. Throws an Error when the bytes are anything else. */
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

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function writeInteger(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
