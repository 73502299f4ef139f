import { TextField } from "@/components/ui/field";

interface EmailFieldProps {
  /** Of a form whose field browsers may fill in with a passkey. */
  withPasskeys?: boolean;
  /** What was sent before. React empties a form after its action; the address stays. */
  email: string | undefined;
  error: string | undefined;
}

/** The address of an account. */
export function EmailField({ withPasskeys = false, email, error }: EmailFieldProps) {
  return (
    <TextField
      id="email"
      name="email"
      label="E-mail"
      type="email"
      autoComplete={withPasskeys ? "username webauthn" : "username"}
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={254}
      key={email}
      defaultValue={email}
      error={error}
    />
  );
}
