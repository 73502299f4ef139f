import type { ActionCall } from "@/features/forms/caller";

/** Returns the work of an action that moves the form's key through its life, for its owner and for operators. */
export function changeKey(step: "revoke" | "restore" | "disable" | "enable") {
  return async ({ form, runtime, actor }: ActionCall): Promise<void> => {
    await runtime.keys[step](form.text("id"), actor);
  };
}
