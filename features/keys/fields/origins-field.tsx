import { TextArea } from "@/components/ui/field";
import { Restriction } from "@/features/keys/fields/restriction";

interface OriginsFieldProps {
  value: string;
  onChange: (typed: string) => void;
  error: string | undefined;
}

/** The only origins whose pages may use the key in a browser. */
export function OriginsField({ value, onChange, error }: OriginsFieldProps) {
  const isRestricted = value.trim() !== "";
  return (
    <Restriction
      title="Only pages of some sites"
      state={isRestricted ? "restricted" : "all"}
      isRestricted={isRestricted}
      hasError={error !== undefined}
    >
      <TextArea
        id="origins"
        name="origins"
        label="Allowed origins"
        hint="One a line. Browsers may then use the key on pages of these origins, and on no others. Programs outside browsers are not restricted."
        placeholder="https://app.example.com"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        className="numerals text-xs13"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={error}
      />
    </Restriction>
  );
}
