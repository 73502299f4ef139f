"use client";

import { CopyLine } from "@/components/ui/copy-line";
import { SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { LinkTarget } from "@/features/keys/key-link-data";

interface LinkFormProps {
  keyId: string;
  targets: readonly LinkTarget[];
  action: FormAction<string>;
  confirmed: boolean;
}

/** Creates a link of a key and shows its address. */
export function LinkForm({ keyId, targets, action, confirmed }: LinkFormProps) {
  return (
    <ActionForm id={keyId} action={action} confirmed={confirmed} submit="Create link" className="grid min-w-0 gap-3">
      {({ result, errors = {} }) => (
        <>
          {result !== undefined && (
            <div role="status" className="grid min-w-0 gap-2">
              <Notice tone="note">The link works now. It stays in the list below.</Notice>
              <CopyLine id="new-link" label="Link" text={result} />
            </div>
          )}
          <SelectField id="link-path" name="path" label="What it opens">
            {targets.map(({ path, name }) => (
              <option key={path} value={path}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField
            id="link-query"
            name="query"
            label="Parameters"
            hint="As in a call: symbol=EURUSD&timeframe=D1&limit=100. Charts take none."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={4_000}
            className="numerals text-xs13"
            error={errors.query}
          />
        </>
      )}
    </ActionForm>
  );
}
