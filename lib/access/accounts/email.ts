import { AccessError } from "@/lib/access/access-error";

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Lower case without surrounding blanks, as addresses are stored and compared. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Normalises an address and checks its form. ASCII only, because look-alike letters of other scripts would allow a second
 * account that people cannot tell apart. Throws the AccessError "invalid_email".
 */
export function checkEmail(text: string): string {
  const email = normaliseEmail(text);
  const at = email.lastIndexOf("@");
  const labels = email.slice(at + 1).split(".");
  const isValid =
    at > 0 &&
    at <= 64 &&
    email.length <= 254 &&
    LOCAL_PART.test(email.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "");
  if (!isValid) throw new AccessError("invalid_email", "Enter an e-mail address, such as name@example.com.");
  return email;
}
