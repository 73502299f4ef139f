import { TextField } from "@/components/ui/field";
import { Choice, Restriction } from "@/features/keys/fields/restriction";
import type { KeyFormValues } from "@/features/keys/types";
import { CATEGORIES } from "@/lib/market/instrument";

interface SymbolsFieldProps {
  values: Pick<KeyFormValues, "categories" | "symbols">;
  onChange: (change: Partial<KeyFormValues>) => void;
  error: string | undefined;
}

/** The only categories and symbols that the key may read. */
export function SymbolsField({ values: { categories, symbols }, onChange, error }: SymbolsFieldProps) {
  const isRestricted = categories.length > 0 || symbols.trim() !== "";
  return (
    <Restriction
      title="Only some symbols"
      state={isRestricted ? "restricted" : "all"}
      isRestricted={isRestricted}
      hasError={error !== undefined}
    >
      <div className="grid gap-3">
        <fieldset>
          <legend className="mb-1 text-xs13 text-dim">Categories</legend>
          <div className="flex flex-wrap gap-x-5">
            {CATEGORIES.map((category) => (
              <Choice
                key={category}
                name="symbolsCategories"
                option={category}
                chosen={categories}
                onChange={(chosen) => onChange({ categories: chosen })}
                className="gap-2 text-xs13"
              />
            ))}
          </div>
        </fieldset>
        <TextField
          id="symbols"
          name="symbols"
          label="Single symbols"
          hint="Separated by commas, in any spelling. Leave both empty to allow all."
          placeholder="XAUUSD, GER40"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          className="numerals text-xs13"
          value={symbols}
          onChange={(event) => onChange({ symbols: event.target.value })}
          error={error}
        />
      </div>
    </Restriction>
  );
}
