import { textOf } from "@/features/forms/owner";
import { requireAccount } from "@/features/session/session";
import { AccessError } from "@/lib/access/access-error";

/**
 * Throws an AccessError unless the form has the address of the account to close and, whatever was confirmed a moment
 * ago, the password of whoever asks; `confirmed` stands in for a password only where there is none.
 */
export async function requireSureness(form: FormData, email: string, confirmed: boolean | undefined): Promise<void> {
  if (textOf(form, "typed").trim().toLowerCase() !== email) {
    throw new AccessError("confirmation_required", `Type ${email} to confirm.`);
  }
  const { hasPassword } = await requireAccount("/account");
  if (hasPassword ? textOf(form, "password") === "" : confirmed !== true) {
    throw new AccessError("confirmation_required", "Enter your password: this cannot be undone.");
  }
}
