import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * A key is `fxk_live_`, 30 random characters (178 bits) and their checksum. The prefix identifies a key to people and
 * secret scanners; the checksum refuses a mistyped key before any lookup. It is computed as GitHub does: CRC-32 of the
 * random part, in base62, padded to six characters.
 */

export const KEY_PREFIX = "fxk_live_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ENTROPY_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const CHECKSUM_AT = KEY_PREFIX.length + ENTROPY_LENGTH;
const SECRET_LENGTH = CHECKSUM_AT + CHECKSUM_LENGTH;

/** Bytes from here on are skipped: they would make the first characters of the alphabet more likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

const BASE62 = /^[0-9A-Za-z]+$/;

/** The checksum of a random part in base62. */
export function computeChecksum(entropy: string): string {
  let rest = crc32(entropy);
  let checksum = "";
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}

/** Creates a new secret. It is shown to its owner once and never stored. */
export function mintSecret(): string {
  let entropy = "";
  while (entropy.length < ENTROPY_LENGTH) {
    for (const byte of randomBytes(ENTROPY_LENGTH * 2)) {
      if (byte < FAIR_BYTES && entropy.length < ENTROPY_LENGTH) entropy += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return KEY_PREFIX + entropy + computeChecksum(entropy);
}

/** Whether any input has the form of a key. */
export function isWellFormed(secret: string): boolean {
  if (typeof secret !== "string" || secret.length !== SECRET_LENGTH || !secret.startsWith(KEY_PREFIX)) return false;
  const entropy = secret.slice(KEY_PREFIX.length, CHECKSUM_AT);
  return BASE62.test(entropy) && secret.endsWith(computeChecksum(entropy));
}

/** Says what is wrong with a text that has not the form of a key, after "The API key"; null for one that has it. */
export function describeKeyFault(text: string): string | null {
  if (isWellFormed(text)) return null;
  if (/^\s*(bearer|apikey|token)\s/i.test(text)) return "is behind a word: X-API-Key has the key alone";
  if (/^["'`]|["'`]$/.test(text)) return "is in quotation marks: send it without them";
  if (/[<>{}$*…]|\.\.\.|your|x{4}|example|changeme/i.test(text))
    return "is a placeholder: put your own key in its place";
  if (/^fx[a-z]_/.test(text) && !text.startsWith(KEY_PREFIX))
    return `is a token of another kind: keys begin with ${KEY_PREFIX}`;
  if (!text.startsWith(KEY_PREFIX)) return `is not one of this service: keys begin with ${KEY_PREFIX}`;
  if (text.length !== SECRET_LENGTH)
    return `has ${text.length} characters, and a key has ${SECRET_LENGTH}: send all of it`;
  return "is mistyped: its last characters, a checksum, do not fit the others";
}

/** The characters by which an owner recognises a key: the first 13 and the last 4. */
export function getDisplayParts(secret: string): { start: string; last4: string } {
  return { start: secret.slice(0, KEY_PREFIX.length + 4), last4: secret.slice(-4) };
}
