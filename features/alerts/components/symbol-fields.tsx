import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { CHECK_CLASS } from "@/components/ui/pill";
import { useFresh } from "@/components/ui/use-fresh";
import type { FieldsProps, FormSetup } from "@/features/alerts/components/form-setup";
import type { SymbolNow } from "@/features/alerts/types";
import { CATEGORIES } from "@/lib/market/instrument";

const REFRESH_MS = 2_000;
const DIRECTIONS = { either: "Crosses", up: "Rises to", down: "Falls to" } as const;
const MOVES = { either: "Up or down", up: "Up", down: "Down" } as const;
const STATES = {
  live: "Live: prices arrive again",
  stale: "Stale: prices stopped while the market is open",
  closed: "Closed: the market closes",
} as const;

type SymbolFieldsProps = FieldsProps & Pick<FormSetup, "symbols" | "quote">;

/** The fields of a condition on a symbol, with its price now. */
export function SymbolFields({ symbols, quote: first, ...fields }: SymbolFieldsProps) {
  const { values, onChange, errors } = fields;
  const url = `/alerts/price?${new URLSearchParams({ symbol: values.symbol })}`;
  const { data: quote = first } = useFresh<SymbolNow>(url, REFRESH_MS);
  return (
    <>
      <div className="grid gap-1">
        <SelectField
          id="alert-symbol"
          name="symbol"
          label="Symbol"
          value={values.symbol}
          onChange={({ target }) => onChange({ symbol: target.value, level: "" })}
          error={errors.symbol}
        >
          {CATEGORIES.map((category) => (
            <optgroup key={category} label={category.charAt(0).toUpperCase() + category.slice(1)}>
              {symbols
                .filter((each) => each.category === category)
                .map(({ symbol, name }) => (
                  <option key={symbol} value={symbol}>
                    {symbol} · {name}
                  </option>
                ))}
            </optgroup>
          ))}
        </SelectField>
        <QuoteLine quote={quote} />
      </div>
      {values.kind === "price" && <PriceFields {...fields} quote={quote} />}
      {values.kind === "move" && <MoveFields {...fields} />}
      {values.kind === "spread" && (
        <p className="text-xs13 text-dim">
          Fires when the spread rises above the 95th percentile of its last seven days, its usual upper end.
        </p>
      )}
      {values.kind === "state" && <StateFields {...fields} />}
    </>
  );
}

function QuoteLine({ quote }: { quote: SymbolNow }) {
  if (quote === null) return <p className="text-xs12 text-faint">No price yet</p>;
  const { bid, ask, digits, spreadPips, state } = quote;
  return (
    <p className="flex flex-wrap gap-x-3 text-xs12 text-dim">
      <span>
        Bid <span className="numerals text-ink">{bid.toFixed(digits)}</span>
      </span>
      <span>
        Ask <span className="numerals text-ink">{ask.toFixed(digits)}</span>
      </span>
      <span>
        Spread <span className="numerals">{spreadPips.toFixed(1)}</span>
      </span>
      <span>{state}</span>
    </p>
  );
}

function PriceFields({ values, onChange, errors, quote }: FieldsProps & { quote: SymbolNow }) {
  const { bid = 0, ask = 0, digits = 0 } = quote ?? {};
  const now = values.price === "bid" ? bid : values.price === "ask" ? ask : (bid + ask) / 2;
  const level = Number(values.level);
  const percent = now > 0 && level > 0 ? ((level - now) / now) * 100 : null;
  const hint =
    percent === null
      ? `Fires when the ${values.price} reaches or passes it.`
      : `${Math.abs(percent).toFixed(2)} % ${percent >= 0 ? "above" : "below"} the ${values.price} now.`;
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          id="alert-price"
          name="price"
          label="Price"
          value={values.price}
          onChange={({ target }) => onChange({ price: target.value })}
        >
          <option value="bid">Bid</option>
          <option value="ask">Ask</option>
          <option value="mid">Mid</option>
        </SelectField>
        <DirectionField value={values.direction} onChange={onChange} labels={DIRECTIONS} />
      </div>
      <TextField
        id="alert-level"
        name="level"
        label="Level"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        className="numerals"
        placeholder={now > 0 ? now.toFixed(digits) : ""}
        value={values.level}
        onChange={({ target }) => onChange({ level: target.value })}
        error={errors.level}
        hint={hint}
        aside={
          now > 0 && (
            <Button look="quiet" size="sm" onClick={() => onChange({ level: now.toFixed(digits) })}>
              Use the {values.price}
            </Button>
          )
        }
      />
    </>
  );
}

interface DirectionFieldProps {
  value: string;
  onChange: FieldsProps["onChange"];
  labels: Readonly<Record<"either" | "up" | "down", string>>;
}

function DirectionField({ value, onChange, labels }: DirectionFieldProps) {
  return (
    <SelectField
      id="alert-direction"
      name="direction"
      label="Direction"
      value={value}
      onChange={({ target }) => onChange({ direction: target.value })}
    >
      {Object.entries(labels).map(([direction, label]) => (
        <option key={direction} value={direction}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

function MoveFields({ values, onChange, errors }: FieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        id="alert-percent"
        name="percent"
        label="Percent"
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        value={values.percent}
        onChange={({ target }) => onChange({ percent: target.value })}
        error={errors.percent}
      />
      <TextField
        id="alert-minutes"
        name="minutes"
        label="Within minutes"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={values.minutes}
        onChange={({ target }) => onChange({ minutes: target.value })}
        error={errors.minutes}
      />
      <DirectionField value={values.direction} onChange={onChange} labels={MOVES} />
    </div>
  );
}

function StateFields({ values, onChange, errors }: FieldsProps) {
  const toggle = (state: string) =>
    onChange({
      states: values.states.includes(state)
        ? values.states.filter((each) => each !== state)
        : [...values.states, state],
    });
  return (
    <fieldset aria-describedby={errors.states === undefined ? undefined : "alert-states-error"}>
      <legend className="mb-1.5 font-medium">When the quote becomes</legend>
      <div className="grid gap-1.5">
        {Object.entries(STATES).map(([state, label]) => (
          <label key={state} className="flex items-start gap-2.5 text-xs13">
            <input
              type="checkbox"
              name="states"
              value={state}
              checked={values.states.includes(state)}
              onChange={() => toggle(state)}
              aria-invalid={errors.states === undefined ? undefined : true}
              className={CHECK_CLASS}
            />
            {label}
          </label>
        ))}
      </div>
      <p id="alert-states-error" aria-live="polite" className="text-xs13 text-down empty:hidden">
        {errors.states}
      </p>
    </fieldset>
  );
}
