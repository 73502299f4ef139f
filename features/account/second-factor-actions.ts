"use server";

import { revalidatePath } from "next/cache";
import type { SecondFactorFormState, SecondFactorIntent } from "@/features/account/second-factor-panel";
import { ownerOf, performOnce, textOf } from "@/features/forms/owner";
import { currentSession, requireAccount } from "@/features/session/session";
import { isAccessError } from "@/lib/access/access-error";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: this one asks who is calling before it does anything. */
export async function changeSecondFactor(
  ticket: string,
  _: SecondFactorFormState,
  form: FormData,
): Promise<SecondFactorFormState> {
  const { hasPassword } = await requireAccount("/account/second-factor");
  const { secondFactors } = await getRuntime();
  const intent = textOf(form, "intent") as SecondFactorIntent;
  const code = textOf(form, "code").slice(0, 64);
  // These are asked for it even if it was given a moment ago: whoever found the browser open must not take them.
  if (hasPassword && (intent === "renew" || intent === "disable") && textOf(form, "password") === "") {
    return { intent, passwordError: "Enter your password." };
  }
  try {
    const owner = await ownerOf(form);
    const sessionId = (await currentSession())?.id;
    return await performOnce({ ticket, act: `second factor ${intent}`, form, owner }, async () => {
      switch (intent) {
        case "begin":
          await secondFactors.begin(owner);
          return { intent };
        case "confirm":
          return { intent, recoveryCodes: await secondFactors.confirm(code, owner, sessionId) };
        case "renew":
          return { intent, recoveryCodes: await secondFactors.renewRecoveryCodes(code, owner) };
        case "disable":
          await secondFactors.disable(code, owner);
          return { intent, disabled: true };
        default:
          return { error: "Nothing was changed: the form is not one of this page's." };
      }
    });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    switch (error.code) {
      case "confirmation_required":
      case "wrong_password":
        return { intent, passwordError: error.message };
      case "wrong_code":
      case "too_many_attempts":
        return { intent, codeError: error.message };
      default:
        return { intent, error: error.message };
    }
  } finally {
    revalidatePath("/account", "layout");
  }
}
