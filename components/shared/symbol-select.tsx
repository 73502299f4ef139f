import { CATEGORIES, type Category } from "@/lib/market/instrument";

interface SymbolSelectProps {
  instruments: readonly { readonly symbol: string; readonly name: string; readonly category: Category }[];
  value: string;
  onChange: (symbol: string) => void;
}

/** Chooses one instrument. A native select supports typing, and phones show their own picker. */
export function SymbolSelect({ instruments, value, onChange }: SymbolSelectProps) {
  return (
    <select
      name="symbol"
      aria-label="Symbol"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 w-64 min-w-0 rounded-md border border-edge bg-raised px-2 text-xs13 text-ink hover:border-dim max-md:h-10 max-md:flex-1 max-md:text-base"
    >
      {CATEGORIES.map((category) => (
        <optgroup key={category} label={category.charAt(0).toUpperCase() + category.slice(1)}>
          {instruments
            .filter((instrument) => instrument.category === category)
            .map(({ symbol, name }) => (
              <option key={symbol} value={symbol}>
                {symbol} · {name}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}
