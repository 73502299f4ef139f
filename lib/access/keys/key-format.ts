import { hash, randomBytes } from "node:crypto";

/**
 * A key is `fxk_live_`, 30 random characters (178 bits) and a checksum of those characters. The prefix tells people
 * and secret scanners what they found; the checksum turns a mistyped or invented key away before any lookup. It is
 * GitHub's: CRC-32 of the random part alone, in base62, padded to six characters.
 */

const prefix = "fxk_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const entropyLength = 30;
const checksumLength = 6;
const checksumAt = prefix.length + entropyLength;
const secretLength = checksumAt + checksumLength;

/** Of the 256 values of a byte the last 8 would favour the first characters of the alphabet. */
const fairBytes = 256 - (256 % alphabet.length);

const isBase62 = new Uint8Array(128);
for (const character of alphabet) isBase62[character.charCodeAt(0)] = 1;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 (zlib's) of `length` ASCII characters from `from`; -1 when one of them is not base62. */
function crcOf(text: string, from: number, length: number): number {
  let crc = 0xffffffff;
  for (let at = from; at < from + length; at++) {
    const code = text.charCodeAt(at);
    if (isBase62[code] !== 1) return -1;
    crc = (crcTable[(crc ^ code) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** The six characters that follow this random part. `entropy` must be base62. */
export function checksumOf(entropy: string): string {
  let rest = crcOf(entropy, 0, entropy.length);
  let checksum = "";
  for (let digit = 0; digit < checksumLength; digit++) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return checksum;
}

/** A new secret. It is shown to its owner once and never stored. */
export function mintSecret(): string {
  let entropy = "";
  while (entropy.length < entropyLength) {
    for (const byte of randomBytes(entropyLength * 2)) {
      if (byte < fairBytes && entropy.length < entropyLength) entropy += alphabet.charAt(byte % alphabet.length);
    }
  }
  return prefix + entropy + checksumOf(entropy);
}

/** Whether this could be a key at all; any input will do. No lookup, no allocation. */
export function isWellFormed(secret: string): boolean {
  if (typeof secret !== "string" || secret.length !== secretLength || !secret.startsWith(prefix)) return false;
  let rest = crcOf(secret, prefix.length, entropyLength);
  if (rest < 0) return false;
  for (let at = secretLength - 1; at >= checksumAt; at--) {
    if (secret.charCodeAt(at) !== alphabet.charCodeAt(rest % alphabet.length)) return false;
    rest = Math.floor(rest / alphabet.length);
  }
  return true;
}

/** SHA-256 in hex. A plain hash is enough: nobody can search through 178 random bits. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** What the owner recognises a key by once the secret is gone: its first 13 and last 4 characters. */
export function displayParts(secret: string): { start: string; last4: string } {
  return { start: secret.slice(0, prefix.length + 4), last4: secret.slice(-4) };
}
