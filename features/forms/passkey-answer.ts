import type { FormReader } from "@/features/forms/form-reader";
import { AccessError } from "@/lib/access/access-error";
import type { PasskeyAnswer } from "@/lib/access/sign-in/passkeys";

/** The fields that the browser adds to a form after a passkey was used or created. */
export const USED_FIELDS = { response: "passkey", ticket: "passkeyTicket" } as const;
export const CREATED_FIELDS = { response: "created", ticket: "createdTicket" } as const;

type Fields = typeof USED_FIELDS | typeof CREATED_FIELDS;

/** Reads the fields; null if the form has none. */
export function readPasskeyAnswer(
  form: FormReader,
  fields: Fields = USED_FIELDS,
): Pick<PasskeyAnswer, "ticket" | "response"> | null {
  const response = form.text(fields.response);
  return response === "" ? null : { response, ticket: form.text(fields.ticket) };
}

export function createNoSiteError(): AccessError {
  return new AccessError("passkey_refused", "Browsers allow no passkeys at this address.");
}
