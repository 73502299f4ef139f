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

interface LinkedIdentity {
  readonly id: string;
  /** The provider's name. */
  readonly provider: string;
  readonly email: string;
  readonly createdAtMs: number;
}

interface IdentityListProps {
  identities: readonly LinkedIdentity[];
  unlink: FormAction;
  /** Whether the password was confirmed a moment ago. */
  confirmed: boolean;
}

/** The identity providers that an account can sign in with. */
export function IdentityList({ identities, unlink, confirmed }: IdentityListProps) {
  return (
    <ul className="grid gap-3">
      {identities.map(({ id, provider, email, createdAtMs }) => (
        <li key={id} className="grid gap-2 rounded-md border border-line p-3">
          <p>
            <span className="font-medium">{provider}</span>{" "}
            <span className="text-xs13 break-all text-dim">
              {email}, since {new Date(createdAtMs).toISOString().slice(0, 10)}
            </span>
          </p>
          <ActionForm
            id={id}
            action={unlink}
            submit={`Unlink ${provider}`}
            look="danger"
            size="sm"
            confirmed={confirmed}
            summary="Unlink"
          />
        </li>
      ))}
    </ul>
  );
}
