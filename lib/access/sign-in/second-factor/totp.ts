import { Secret, TOTP } from "otpauth";

/** Codes of six digits that change every 30 seconds (TOTP, RFC 6238). */

const PERIOD_S = 30;
/** Also accepts the codes of the periods before and after, because clocks differ and people type slowly. */
const WINDOW = 1;

function createTotp(base32: string, label: string): TOTP {
  const secret = Secret.fromBase32(base32);
  return new TOTP({ issuer: "Spotline", label, algorithm: "SHA1", digits: 6, period: PERIOD_S, secret });
}

/** A new random secret, in base32. */
export function mintTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The otpauth:// address that an authenticator app reads from a QR code. */
export function buildTotpUri(base32: string, label: string): string {
  return createTotp(base32, label).toString();
}

/** The number of the 30-second period whose code this is, counted from 1970; null if the code is not right now. */
export function findPeriod(base32: string, code: string, nowMs: number): number | null {
  const totp = createTotp(base32, "");
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
