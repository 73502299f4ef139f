import { TextField } from "@/components/ui/field";
import { AllowListField } from "@/features/keys/allow-list-field";
import { ExpiryField } from "@/features/keys/expiry-field";
import { KindField } from "@/features/keys/kind-field";
import { ScopesField } from "@/features/keys/scopes-field";
import type { CheckAddresses, KeyFormValues, KindTerms, ScopeGuide } from "@/features/keys/types";
import type { RangeProblem } from "@/lib/access/allow-list";

export interface KeyFieldsSetup {
  checkAddresses: CheckAddresses;
  guides: readonly ScopeGuide[];
  kinds: readonly KindTerms[];
  /** The visitor's address; null if it is unknown. */
  ownAddress: string | null;
  /** YYYY-MM-DD, UTC. */
  today: string;
  /** The key to edit. If omitted, the form creates a key. */
  edited?: EditedKey;
}

interface EditedKey {
  readonly id: string;
  readonly values: KeyFormValues;
  /** When it expires: "in 89 days". */
  readonly ends: string;
}

interface KeyFieldsProps extends KeyFieldsSetup {
  values: KeyFormValues;
  onChange: (changed: Partial<KeyFormValues>) => void;
  /** By the name of the field. */
  errors: Readonly<Record<string, string>>;
  /** The invalid lines of the allow-list. */
  problems: readonly RangeProblem[];
}

/** The settings of a key. */
export function KeyFields({ values, onChange, errors, problems, edited, ...setup }: KeyFieldsProps) {
  const { checkAddresses, guides, kinds, ownAddress, today } = setup;
  return (
    <>
      <TextField
        id="label"
        name="label"
        label="Label"
        hint="Where the key will be used, such as “Pricing sheet, London desk”."
        autoComplete="off"
        maxLength={80}
        required
        value={values.label}
        onChange={(event) => onChange({ label: event.target.value })}
        error={errors.label}
      />
      {edited === undefined ? (
        <KindField kinds={kinds} value={values.kind} onChange={(kind) => onChange({ kind })} />
      ) : (
        <input type="hidden" name="id" value={edited.id} />
      )}
      <ScopesField
        guides={guides}
        value={values.scopes}
        onChange={(scopes) => onChange({ scopes })}
        error={errors.scopes}
      />
      <ExpiryField currently={edited?.ends} values={values} today={today} onChange={onChange} error={errors.expiry} />
      <AllowListField
        value={values.addresses}
        onChange={(addresses) => onChange({ addresses })}
        ownAddress={ownAddress}
        check={checkAddresses}
        refused={problems}
        error={errors.addresses}
      />
    </>
  );
}
