import { TextField } from "@/components/ui/field";
import type { FieldsProps } from "@/features/alerts/components/form-setup";
import { IMPACTS } from "@/lib/calendar/event";

/** Which events of the calendar count, and how long before them. */
export function EventFields({ values, onChange, errors }: FieldsProps) {
  const { kind, impacts } = values;
  const toggle = (impact: string) =>
    onChange({ impacts: impacts.includes(impact) ? impacts.filter((each) => each !== impact) : [...impacts, impact] });
  return (
    <>
      {kind === "upcoming" && (
        <TextField
          id="alert-lead"
          name="lead"
          label="Minutes before"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={values.lead}
          onChange={({ target }) => onChange({ lead: target.value })}
          error={errors.lead}
        />
      )}
      <fieldset>
        <legend className="mb-1.5 font-medium">Impact</legend>
        <div className="flex gap-1.5">
          {IMPACTS.map((impact) => (
            <label
              key={impact}
              className="grid h-9 flex-1 place-items-center rounded-md border border-line bg-panel px-2 text-xs13 text-dim capitalize hover:border-edge hover:text-ink has-checked:border-accent-ink has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink max-md:h-10"
            >
              <input
                type="checkbox"
                name="impacts"
                value={impact}
                checked={impacts.includes(impact)}
                onChange={() => toggle(impact)}
                className="sr-only"
              />
              {impact}
            </label>
          ))}
        </div>
        <p className="mt-1.5 text-xs13 text-faint">{impacts.length === 0 && "None chosen: events of every impact."}</p>
      </fieldset>
      <TextField
        id="alert-currencies"
        name="currencies"
        label="Currencies"
        hint="Codes such as USD, EUR. Empty for all."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        value={values.currencies}
        onChange={({ target }) => onChange({ currencies: target.value })}
        error={errors.currencies}
      />
      <TextField
        id="alert-search"
        name="search"
        label="Words in the title"
        hint="Such as CPI. Empty for all events."
        autoComplete="off"
        maxLength={100}
        value={values.search}
        onChange={({ target }) => onChange({ search: target.value })}
        error={errors.search}
      />
    </>
  );
}
