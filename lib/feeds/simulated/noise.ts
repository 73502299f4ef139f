/**
 * Repeatable pseudo-random numbers: each depends only on a seed and two integers, so that any moment of the simulated
 * past can be computed alone, in any order.
 */

/** The seed for a named part of the simulation, as an unsigned 32-bit integer. */
export function deriveSeed(...names: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const character of names.join("\n")) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return scramble(hash) >>> 0;
}

/** Uniform over [0, 1). */
export function drawUniform(seed: number, a: number, b: number): number {
  return (mix(seed, a, b) >>> 0) / 4_294_967_296;
}

/**
 * Approximately normal with mean 0 and variance 1: the sum of four uniform numbers, which costs a tenth of an exact
 * normal and is as good where many are added up. Never beyond ±3.47.
 */
export function drawNormal(seed: number, a: number, b: number): number {
  const first = mix(seed, a, b);
  const second = scramble(first ^ 0x6a09e667);
  const sum = (first & 0xffff) + (first >>> 16) + (second & 0xffff) + (second >>> 16);
  return (sum - 131_070) * (Math.sqrt(3) / 65_536);
}

function mix(seed: number, a: number, b: number): number {
  return scramble(scramble(seed ^ Math.imul(a, 0x9e3779b1)) ^ Math.imul(b, 0x85ebca77));
}

/** MurmurHash3's finaliser: every bit of the input changes about half of the output's bits. */
function scramble(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
