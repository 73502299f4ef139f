import { CHECK_CLASS } from "@/components/ui/pill";
import type { KindTerms } from "@/features/keys/types";
import type { KeyKind } from "@/lib/access/plans";

interface KindFieldProps {
  kinds: readonly KindTerms[];
  value: KeyKind;
  onChange: (kind: KeyKind) => void;
}

export function KindField({ kinds, value, onChange }: KindFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Kind</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map(({ kind, title, text }) => (
          <label
            key={kind}
            className="flex items-start gap-2.5 rounded-md border border-line bg-panel p-3 hover:border-edge has-checked:border-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={value === kind}
              onChange={() => onChange(kind)}
              className={CHECK_CLASS}
              aria-describedby={`kind-${kind}`}
            />
            <span className="grid gap-0.5">
              <span>{title}</span>
              <span id={`kind-${kind}`} className="text-xs13 text-dim">
                {text}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
