import { RadioPill } from "@/components/ui/pill";
import type { Lifetime } from "@/features/keys/lifetime";
import { EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/types";
import { formatDays } from "@/lib/access/keys/key-life";

const CHOICES = [
  ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: `${days} days` })),
  { value: "never", label: "Never" },
  { value: "date", label: "On a date" },
];

const HINTS: Readonly<Record<string, string>> = {
  keep: "The expiry does not change.",
  never: "A leaked key that never expires can be used forever. Prefer a date where you can.",
  date: "The key works until the end of that day, UTC.",
};

/** Whether the operator lets a key end then. A day is checked when the form is sent. */
function isPossible(choice: string, lifetime: Lifetime | null): boolean {
  if (lifetime === null || choice === "date") return true;
  return choice !== "never" && Number(choice) <= lifetime.leftDays;
}

interface ExpiryFieldProps {
  /** Of a key that is edited: "in 89 days". */
  currently?: string | undefined;
  values: Pick<KeyFormValues, "expiry" | "expiryDate">;
  today: string;
  lifetime: Lifetime | null;
  onChange: (change: Partial<KeyFormValues>) => void;
  error: string | undefined;
}

export function ExpiryField({ currently, values, today, lifetime, onChange, error }: ExpiryFieldProps) {
  const keep = currently === undefined ? [] : [{ value: "keep", label: `Keep (${currently})` }];
  const all = [...keep, ...CHOICES.filter(({ value }) => isPossible(value, lifetime))];
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Expires</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {all.map(({ value, label }) => (
          <RadioPill
            key={value}
            name="expiry"
            value={value}
            label={label}
            checked={values.expiry === value}
            onChange={() => onChange({ expiry: value })}
          />
        ))}
        {values.expiry === "date" && (
          <input
            type="date"
            name="expiryDate"
            aria-label="Last day of the key, in UTC"
            aria-invalid={error !== undefined || undefined}
            aria-describedby="expiry-error"
            min={today}
            max={lifetime?.lastDay}
            value={values.expiryDate}
            onChange={(event) => onChange({ expiryDate: event.target.value })}
            className="numerals h-9 rounded-md border border-edge bg-raised px-2 text-xs13 aria-invalid:border-down md:h-8"
          />
        )}
      </div>
      <p className="mt-1.5 text-xs13 text-faint">
        {HINTS[values.expiry] ?? `Counted from when the key is ${currently === undefined ? "created" : "saved"}.`}
        {lifetime !== null && ` The operator allows keys a life of ${formatDays(lifetime.days)} at most.`}
      </p>
      <div id="expiry-error" aria-live="polite" className="text-xs13 text-down empty:hidden">
        {error}
      </div>
    </fieldset>
  );
}
