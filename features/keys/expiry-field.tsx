import { EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/key-form-state";

const choices = [
  ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: `${days} days` })),
  { value: "never", label: "Never" },
  { value: "date", label: "On a date" },
];

const hints: Readonly<Record<string, string>> = {
  keep: "Stays as it is.",
  never: "A key without an end stays dangerous if it leaks. Prefer a date where you can.",
  date: "The key works to the end of that day, UTC.",
};

interface ExpiryFieldProps {
  /** Of a key that is edited: "in 89 days". */
  kept?: string | undefined;
  values: Pick<KeyFormValues, "expiry" | "expiryDate">;
  today: string;
  onChange: (change: Partial<KeyFormValues>) => void;
  error: string | undefined;
}

export function ExpiryField({ kept, values, today, onChange, error }: ExpiryFieldProps) {
  const all = kept === undefined ? choices : [{ value: "keep", label: `As it is (${kept})` }, ...choices];
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Expires</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {all.map(({ value, label }) => (
          <label key={value} className="pill">
            <input
              type="radio"
              name="expiry"
              value={value}
              checked={values.expiry === value}
              onChange={() => onChange({ expiry: value })}
              className="sr-only"
            />
            {label}
          </label>
        ))}
        {values.expiry === "date" && (
          <input
            type="date"
            name="expiryDate"
            aria-label="Last day of the key, in UTC"
            aria-invalid={error !== undefined || undefined}
            aria-describedby="expiry-error"
            min={today}
            value={values.expiryDate}
            onChange={(event) => onChange({ expiryDate: event.target.value })}
            className="numerals h-9 rounded-md border border-edge bg-raised px-2 text-[0.8125rem] aria-invalid:border-down md:h-8"
          />
        )}
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-faint">
        {hints[values.expiry] ?? `Counted from the moment the key is ${kept === undefined ? "made" : "saved"}.`}
      </p>
      <div id="expiry-error" aria-live="polite" className="text-[0.8125rem] text-down empty:hidden">
        {error}
      </div>
    </fieldset>
  );
}
