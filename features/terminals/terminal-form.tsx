"use client";

import { CopyLine } from "@/components/ui/copy-line";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { CreatedTerminal } from "@/features/terminals/data";

/** Creates the token of a terminal and shows it, once. */
export function TerminalForm({ action, confirmed }: { action: FormAction<CreatedTerminal>; confirmed: boolean }) {
  return (
    <ActionForm
      action={action}
      confirmed={confirmed}
      submit="Create token"
      look="primary"
      className="grid min-w-0 gap-3"
    >
      {({ result, errors = {} }) => (
        <>
          {result !== undefined && (
            <div role="status" className="grid min-w-0 gap-2">
              <Notice tone="note">
                Copy both into the program’s inputs now. The token of {result.source} cannot be shown again.
              </Notice>
              <p className="text-xs13 text-dim">URL</p>
              <CopyLine id="terminal-url" label="URL" text={result.url} />
              <p className="text-xs13 text-dim">Token</p>
              <CopyLine id="terminal-token" label="Token" text={result.secret} />
            </div>
          )}
          <TextField
            id="terminal-source"
            name="source"
            label="Name of the source"
            hint="Answers show it as source: icmarkets, or icmarkets-demo. Each terminal has its own."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={40}
            error={errors.source}
          />
        </>
      )}
    </ActionForm>
  );
}
