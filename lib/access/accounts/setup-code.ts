import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The code of the setup link, with which the first account is created. It proves access to the server's log. Every
 * process of an installation derives the same one; after the first account it has no use.
 *
 * @param secret the installation's session secret
 */
export function deriveSetupCode(secret: string): string {
  return createHmac("sha256", secret).update("setup code").digest("base64url").slice(0, 22);
}

/** Whether a visitor sent the right code. False if this process has none. */
export function isSetupCode(sent: string | undefined, code: string | undefined): boolean {
  if (sent === undefined || code === undefined) return false;
  const [given, right] = [Buffer.from(sent), Buffer.from(code)];
  return given.length === right.length && timingSafeEqual(given, right);
}
