import { TextField } from "@/components/ui/field";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";

interface CloseFormProps {
  id: string;
  email: string;
  action: FormAction;
  /** Whether the caller has no password and has just signed in again. */
  confirmed: boolean;
}

/** Closes an account, after the caller has typed its address and a password. */
export function CloseForm({ id, email, action, confirmed }: CloseFormProps) {
  return (
    <ActionForm id={id} action={action} submit="Close account for good" look="danger">
      <TextField
        id="typed"
        name="typed"
        label={`Type ${email}`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <ConfirmField confirmed={confirmed} hint="Required every time, because closing an account cannot be undone." />
    </ActionForm>
  );
}
