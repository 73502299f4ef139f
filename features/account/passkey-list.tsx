"use client";

import { Moment } from "@/components/shared/moment";
import { TextField } from "@/components/ui/field";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { Passkey } from "@/lib/access/sign-in/passkeys";

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  rename: FormAction;
  remove: FormAction;
  /** Whether the caller was confirmed a moment ago. */
  confirmed: boolean;
  nowMs: number;
}

const BACKUPS: Readonly<Record<Passkey["backup"], string>> = {
  "backed-up": "Backed up",
  "not-yet": "Not backed up yet",
  "device-bound": "On one device only",
};

/** An account's passkeys, each with forms to rename and to remove it. */
export function PasskeyList({ passkeys, rename, remove, confirmed, nowMs }: PasskeyListProps) {
  return (
    <ul className="grid gap-3">
      {passkeys.map(({ id, name, backup, createdAtMs, lastUsedAtMs }) => (
        <li key={id} className="grid gap-1 rounded-md border border-line p-3">
          <p className="font-medium break-words">{name}</p>
          <p className="text-xs13 text-dim">
            {BACKUPS[backup]}, created <Moment atMs={createdAtMs} nowMs={nowMs} />,{" "}
            {lastUsedAtMs === null ? (
              "never used"
            ) : (
              <>
                last used <Moment atMs={lastUsedAtMs} nowMs={nowMs} />
              </>
            )}
          </p>
          <ActionForm id={id} action={rename} submit="Save name" size="sm" summary="Rename">
            {({ errors = {} }) => (
              <TextField
                id={`name-${id}`}
                key={name}
                name="name"
                label="New name"
                defaultValue={name}
                autoComplete="off"
                required
                maxLength={60}
                error={errors.name}
              />
            )}
          </ActionForm>
          <ActionForm
            id={id}
            action={remove}
            submit="Remove passkey"
            look="danger"
            size="sm"
            confirmed={confirmed}
            summary="Remove"
          />
        </li>
      ))}
    </ul>
  );
}
