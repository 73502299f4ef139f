"use client";

import type { UsageKey } from "@/features/usage/data";

/** Below 16 pixels, iOS zooms the page into the field. */
const SELECT_CLASS =
  "h-8 w-52 min-w-0 rounded-md border border-edge bg-raised px-2 text-xs13 text-ink max-md:h-10 max-md:w-auto max-md:flex-[1_1_8rem] max-md:text-[1rem]";

interface FilterSelectProps {
  name: string;
  label: string;
  /** The text of the choice of everything. */
  all: string;
  /** The chosen value; null for everything. */
  value: string | null;
  choices: readonly { readonly value: string; readonly text: string }[];
}

/** A choice in a toolbar's form, which is sent when the choice changes. */
function FilterSelect({ name, label, all, value, choices }: FilterSelectProps) {
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={value ?? ""}
      onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
      className={SELECT_CLASS}
    >
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

interface KeyAndEndpointProps {
  keys: readonly UsageKey[];
  keyId: string | null;
  paths: readonly string[];
  endpoint: string | null;
}

/** Chooses a key and an endpoint. */
export function KeyAndEndpoint({ keys, keyId, paths, endpoint }: KeyAndEndpointProps) {
  return (
    <>
      <FilterSelect
        name="key"
        label="Key"
        all="All keys"
        value={keyId}
        choices={keys.map(({ id, label, last4 }) => ({ value: id, text: `${label} …${last4}` }))}
      />
      <FilterSelect
        name="endpoint"
        label="Endpoint"
        all="All endpoints"
        value={endpoint}
        choices={paths.map((path) => ({ value: path, text: path }))}
      />
    </>
  );
}
