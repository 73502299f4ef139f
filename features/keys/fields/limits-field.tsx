import { TextField } from "@/components/ui/field";
import type { KeyFormValues, KindTerms } from "@/features/keys/types";

const LIMITS = [
  ["perMinute", "Calls a minute"],
  ["perDay", "Calls a day"],
] as const;

interface LimitsFieldProps {
  /** The terms of the chosen kind of key. */
  terms: KindTerms | undefined;
  values: Pick<KeyFormValues, "perMinute" | "perDay">;
  onChange: (change: Partial<KeyFormValues>) => void;
  errors: Readonly<Record<string, string>>;
}

/** The limits of the key itself, below those of its account. */
export function LimitsField({ terms, values, onChange, errors }: LimitsFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Limits of this key</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {LIMITS.map(([name, label]) => (
          <TextField
            key={name}
            id={name}
            name={name}
            label={label}
            placeholder={terms?.[name]}
            value={values[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
            error={errors[name]}
            inputMode="numeric"
            autoComplete="off"
            className="numerals"
            maxLength={10}
          />
        ))}
      </div>
      <p className="mt-1.5 text-xs13 text-faint">
        Leave empty for the limits of your account. Its calls a day count all keys together, this one included.
      </p>
    </fieldset>
  );
}
