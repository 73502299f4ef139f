"use client";

import { type FormEvent, useState } from "react";

const NO_ERRORS: Errors = {};

/** Returns the errors of the last submission without those of fields that were changed since. `onChange` is the form's. */
export function useFieldErrors(submitted: Errors = NO_ERRORS) {
  const [changed, setChanged] = useState<{ of: Errors; names: readonly string[] }>({ of: submitted, names: [] });
  const names = changed.of === submitted ? changed.names : [];
  return {
    errors: withoutChanged(submitted, names),
    onChange({ target }: FormEvent<HTMLFormElement>): void {
      const { name = "" } = target as EventTarget & { name?: string };
      if (name !== "" && !names.includes(name)) setChanged({ of: submitted, names: [...names, name] });
    },
  };
}

export type Errors = Readonly<Record<string, string>>;

/**
 * Returns the errors without those of changed fields. Several fields may share an error by the beginning of their
 * names: "expiryDate" changes that of "expiry".
 */
export function withoutChanged(errors: Errors, names: readonly string[]): Errors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !names.some((name) => name.startsWith(field))));
}
