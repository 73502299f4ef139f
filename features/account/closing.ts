import type { FormReader } from "@/features/forms/form-reader";
import { AccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { SignedIn } from "@/lib/access/actor";

/**
 * Throws an AccessError unless the form repeats the address of the account to close and has the caller's password. An
 * earlier confirmation counts only for a caller without a password.
 */
export function requireClosing(form: FormReader, email: string, caller: Account, actor: SignedIn): void {
  if (form.text("typed").trim().toLowerCase() !== email) {
    throw new AccessError("confirmation_required", `Type ${email} to confirm.`);
  }
  if (caller.hasPassword ? form.text("password") === "" : actor.confirmed !== true) {
    throw new AccessError("confirmation_required", "Enter your password: this cannot be undone.");
  }
}
