import { createHmac, randomBytes } from "node:crypto";

/** Signatures of webhooks as https://www.standardwebhooks.com defines them. */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: "whsec_" and 32 random bytes in base64. */
export function mintWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * The value of `webhook-signature`: "v1," and the HMAC-SHA256, in base64, of id, time and body, under the bytes of the
 * secret.
 *
 * @param timestamp Unix seconds
 */
export function signMessage(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}
