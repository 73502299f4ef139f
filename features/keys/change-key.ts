import type { ActionCall } from "@/features/forms/caller";

/**
 * Returns the work of an action that revokes, restores, disables or enables the form's key, for owners and operators.
 */
export function changeKey(step: "revoke" | "restore" | "disable" | "enable") {
  return async ({ form, runtime, actor }: ActionCall): Promise<void> => {
    await runtime.keys[step](form.text("id"), actor);
  };
}
