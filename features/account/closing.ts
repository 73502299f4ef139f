import type { ActionCall } from "@/features/forms/caller";
import { AccessError } from "@/lib/access/access-error";

/**
 * Throws an AccessError unless the form repeats the address of the account to close and has the caller's password or
 * passkey. An earlier confirmation counts only for a caller without a password.
 */
export function requireClosing({ form, account: caller, actor, isProved }: ActionCall, email: string): void {
  if (form.text("typed").trim().toLowerCase() !== email) {
    throw new AccessError("confirmation_required", `Type ${email} to confirm.`);
  }
  if (caller.hasPassword ? !isProved : actor.confirmed !== true) {
    throw new AccessError("confirmation_required", "Enter your password: this cannot be undone.");
  }
}
