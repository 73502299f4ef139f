import { LockKeyhole } from "lucide-react";
import type { FieldsProps, FormSetup } from "@/features/alerts/components/form-setup";
import { ALERT_KINDS, type AlertKind } from "@/features/alerts/types";

const LABELS: Readonly<Record<AlertKind, string>> = {
  price: "Price",
  move: "Move in %",
  spread: "Wide spread",
  state: "State",
  release: "Release",
  upcoming: "Event due",
};

/** What the alert waits for. Without a script, links lead to the forms of the other kinds. */
export function KindField({ values, onChange, locked }: FieldsProps & Pick<FormSetup, "locked">) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Alert on</legend>
      <div className="grid grid-cols-3 gap-1.5">
        {ALERT_KINDS.map((kind) => (
          <label
            key={kind}
            className="flex h-9 items-center justify-center gap-1 rounded-md border border-line bg-panel px-1 text-xs12 whitespace-nowrap text-dim hover:border-edge hover:text-ink has-checked:border-accent-ink has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink max-md:h-10"
          >
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={values.kind === kind}
              onChange={() => onChange({ kind })}
              className="sr-only"
            />
            {locked[kind] !== undefined && <LockKeyhole aria-hidden size={12} className="flex-none text-faint" />}
            {LABELS[kind]}
          </label>
        ))}
      </div>
      <noscript>
        <p className="mt-2 flex flex-wrap gap-x-3 text-xs13">
          {ALERT_KINDS.map((kind) => (
            <a key={kind} href={`/alerts?kind=${kind}`} className="underline">
              {LABELS[kind]}
            </a>
          ))}
        </p>
      </noscript>
    </fieldset>
  );
}
