import { X } from "lucide-react";
import { useId, useState } from "react";
import { FIELD_CLASS } from "@/components/ui/search-box";

interface CompareFieldProps {
  chosen: string | null;
  symbols: readonly { readonly symbol: string; readonly name: string }[];
  onChoose: (symbol: string | null) => void;
}

/** Chooses a second symbol, whose closes are drawn beside the bars in percent. */
export function CompareField({ chosen, symbols, onChoose }: CompareFieldProps) {
  const id = useId();
  const [hasError, setHasError] = useState(false);
  if (chosen !== null) {
    return (
      <span className="inline-flex h-8 items-center gap-1 rounded-md border border-edge pl-2.5 text-xs13 max-md:h-9">
        <span className="text-dim">vs</span> {chosen}
        <button
          type="button"
          aria-label={`Stop comparing with ${chosen}`}
          onClick={() => onChoose(null)}
          className="grid size-7 place-items-center rounded-sm text-dim hover:bg-hover hover:text-ink"
        >
          <X aria-hidden size={14} />
        </button>
      </span>
    );
  }
  function choose(text: string, isFinal: boolean): void {
    const wanted = text
      .trim()
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, "");
    const found = symbols.find(({ symbol }) => symbol === wanted);
    if (found !== undefined) onChoose(found.symbol);
    setHasError(isFinal && found === undefined && wanted !== "");
  }
  return (
    <form
      className="relative w-32 max-md:w-36"
      onSubmit={(event) => {
        event.preventDefault();
        choose(String(new FormData(event.currentTarget).get("compare") ?? ""), true);
      }}
    >
      <input
        name="compare"
        aria-label="Compare with a symbol"
        aria-invalid={hasError || undefined}
        aria-describedby={hasError ? `${id}-error` : undefined}
        placeholder="Compare…"
        list={`${id}-symbols`}
        maxLength={32}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        // Only a choice from the list comes in one piece.
        onInput={({ nativeEvent, currentTarget }) => {
          setHasError(false);
          if ((nativeEvent as InputEvent).inputType === "insertReplacementText") choose(currentTarget.value, false);
        }}
        className={`px-2.5 aria-invalid:border-down [&::-webkit-calendar-picker-indicator]:hidden! max-md:h-9! ${FIELD_CLASS}`}
      />
      <datalist id={`${id}-symbols`}>
        {symbols.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {name}
          </option>
        ))}
      </datalist>
      {hasError && (
        <p
          id={`${id}-error`}
          role="alert"
          className="absolute top-9 left-0 z-3 rounded-md border border-down bg-raised px-2.5 py-1.5 text-xs12 whitespace-nowrap text-down"
        >
          There is no such symbol.
        </p>
      )}
    </form>
  );
}
