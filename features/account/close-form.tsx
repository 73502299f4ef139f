import { TextField } from "@/components/ui/field";
import { ConfirmField } from "@/features/forms/confirm-field";
import { StepForm } from "@/features/forms/step-form";
import type { StepAction } from "@/features/forms/step-state";

interface CloseFormProps {
  id: string;
  email: string;
  action: StepAction;
  /** Whether whoever asks has no password and has just signed in again. */
  confirmed: boolean;
}

/** Asks twice before an account is gone: for its address, and for the password of whoever asks. */
export function CloseForm({ id, email, action, confirmed }: CloseFormProps) {
  return (
    <StepForm id={id} action={action} submit="Close account for good" done="Closed." look="danger">
      <TextField
        id="typed"
        name="typed"
        label={`Type ${email}`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <ConfirmField confirmed={confirmed} hint="Asked for every time: this cannot be undone." />
    </StepForm>
  );
}
