import { FieldError } from "@/features/forms/action-state";
import type { ActionCall } from "@/features/forms/caller";
import type { FormReader } from "@/features/forms/form-reader";
import { isSecondFactorRequired } from "@/features/session/session";
import { AccessError } from "@/lib/access/access-error";

const INTENTS = ["begin", "confirm", "renew", "disable"] as const;
export type SecondFactorIntent = (typeof INTENTS)[number];

export interface SecondFactorResult {
  /** Shown once. */
  readonly recoveryCodes?: readonly string[];
  readonly disabled?: true;
}

/** Codes are shorter than this, with spaces and dashes. */
const MAX_CODE_LENGTH = 64;

/** Reads which of the page's forms was sent. Errors are shown in that form. */
export function readIntent(form: FormReader): { intent: SecondFactorIntent | undefined } {
  return { intent: INTENTS.find((intent) => intent === form.text("intent")) };
}

/** Carries out one step: sets up, confirms, renews the codes or turns the second factor off. Throws an AccessError. */
export async function changeSecondFactorStep(call: ActionCall<"owner">): Promise<SecondFactorResult> {
  const { form, account, actor, sessionId, isProved } = call;
  const { passkeys, secondFactors } = call.runtime;
  const { intent } = readIntent(form);
  const code = form.text("code", MAX_CODE_LENGTH);
  // A recent confirmation is not enough here: another person may use the open browser.
  if (account.hasPassword && (intent === "renew" || intent === "disable") && !isProved) {
    throw new FieldError("password", "Enter your password.");
  }
  switch (intent) {
    case "begin":
      await secondFactors.begin(actor);
      return {};
    case "confirm":
      return { recoveryCodes: await secondFactors.confirm(code, actor, sessionId) };
    case "renew":
      return { recoveryCodes: await secondFactors.renewRecoveryCodes(code, actor) };
    case "disable":
      if ((await isSecondFactorRequired(account)) && !(await passkeys.has(account.id))) {
        throw new AccessError("second_factor_state", "This installation requires a second factor: it stays on.");
      }
      await secondFactors.disable(code, actor);
      return { disabled: true };
    default:
      throw new AccessError("second_factor_state", "Nothing was changed, because this form is not part of the page.");
  }
}
