import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Tokens for calendar programs, which cannot send headers, so the URL must authenticate them. URLs are stored and logged
 * by others, so they must not hold the key: a token allows only the calendar feed, on the terms of its key, while the
 * key is active.
 */
export interface FeedTokens {
  /** The token of a key; always the same. */
  createToken(keyId: string): string;
  /** The id of the key, or null if this installation did not issue the token. */
  readKeyId(token: string): string | null;
}

const PREFIX = "fxc_";
const PATTERN = /^fxc_([\w-]{22})[\w-]{22}$/;
/** 128 bits. */
const SIGNATURE_BYTES = 16;

/** @param secret the installation's; a new one invalidates every token */
export function createFeedTokens(secret: string): FeedTokens {
  // A signing key of its own, so that nothing signed for another purpose can be a token.
  const signingKey = createHmac("sha256", secret).update("calendar feed").digest();
  const sign = (id: Buffer) => createHmac("sha256", signingKey).update(id).digest().subarray(0, SIGNATURE_BYTES);
  const createToken = (keyId: string) => {
    const id = Buffer.from(keyId.replaceAll("-", ""), "hex");
    return PREFIX + id.toString("base64url") + sign(id).toString("base64url");
  };
  return {
    createToken,
    readKeyId(token) {
      const idText = PATTERN.exec(token)?.[1];
      if (idText === undefined) return null;
      const hex = Buffer.from(idText, "base64url").toString("hex");
      const keyId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      // Compared as texts, because the last character of each half has unused bits.
      return timingSafeEqual(Buffer.from(createToken(keyId)), Buffer.from(token)) ? keyId : null;
    },
  };
}
