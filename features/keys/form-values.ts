import { FieldError } from "@/features/forms/action-state";
import type { FormReader } from "@/features/forms/form-reader";
import { readAddressLines } from "@/features/keys/address-lines";
import { EMPTY_KEY, EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/types";
import { AccessError } from "@/lib/access/access-error";
import { checkLabel, checkScopes } from "@/lib/access/keys/key-settings";
import { isScope } from "@/lib/access/scopes";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

/** Reads the form of a key as it was filled in. */
export function readKeyForm(form: FormReader): KeyFormValues {
  return {
    label: form.text("label"),
    kind: form.text("kind") === "tool" ? "tool" : EMPTY_KEY.kind,
    scopes: form.texts("scopes").filter(isScope),
    addresses: form.text("addresses"),
    expiry: form.text("expiry"),
    expiryDate: form.text("expiryDate"),
  };
}

/**
 * Reads the settings of the key. `expiresAtMs` is undefined for "keep". Throws an AccessError or a FieldError for an
 * invalid field.
 */
export function readKeyRequest(form: FormReader, nowMs: number) {
  const { expiry, expiryDate, addresses: typed, ...values } = readKeyForm(form);
  checkLabel(values.label);
  checkScopes(values.scopes);
  const { addresses, problems } = readAddressLines(typed);
  if (problems.length > 0) {
    throw new AccessError("invalid_addresses", "Some lines are not addresses or ranges.", problems);
  }
  const expiresAtMs = readExpiry({ expiry, expiryDate }, nowMs);
  if (expiresAtMs === undefined && expiry !== "keep") throw new FieldError("expiry", "Choose a day.");
  return { ...values, addresses, expiresAtMs };
}

/** Returns the expiry in UTC milliseconds, null for never, undefined if the form names no valid one. */
export function readExpiry(
  { expiry, expiryDate }: Pick<KeyFormValues, "expiry" | "expiryDate">,
  nowMs: number,
): number | null | undefined {
  if (expiry === "never") return null;
  const days = EXPIRY_DAYS.find((preset) => String(preset) === expiry);
  if (days !== undefined) return nowMs + days * DAY_MS;
  const dayMs = expiry === "date" ? parseDay(expiryDate) : null;
  return dayMs === null ? undefined : dayMs + DAY_MS;
}
