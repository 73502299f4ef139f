import { TextField } from "@/components/ui/field";
import { AllowListField } from "@/features/keys/fields/allow-list-field";
import { EndpointsField } from "@/features/keys/fields/endpoints-field";
import { ExpiryField } from "@/features/keys/fields/expiry-field";
import { KindField } from "@/features/keys/fields/kind-field";
import { LimitsField } from "@/features/keys/fields/limits-field";
import { OriginsField } from "@/features/keys/fields/origins-field";
import { ScopesField } from "@/features/keys/fields/scopes-field";
import { SymbolsField } from "@/features/keys/fields/symbols-field";
import type { Lifetime } from "@/features/keys/lifetime";
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
  /** Null where the operator does not bound the life of keys. */
  lifetime: Lifetime | null;
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
  const { checkAddresses, guides, kinds, ownAddress, today, lifetime } = setup;
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
      <div className="grid gap-3">
        <EndpointsField
          value={values.endpoints}
          onChange={(endpoints) => onChange({ endpoints })}
          error={errors.endpoints}
        />
        <SymbolsField values={values} onChange={onChange} error={errors.symbols} />
        <OriginsField value={values.origins} onChange={(origins) => onChange({ origins })} error={errors.origins} />
      </div>
      <LimitsField
        terms={kinds.find(({ kind }) => kind === values.kind)}
        values={values}
        onChange={onChange}
        errors={errors}
      />
      <ExpiryField
        currently={edited?.ends}
        values={values}
        today={today}
        lifetime={lifetime}
        onChange={onChange}
        error={errors.expiry}
      />
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
