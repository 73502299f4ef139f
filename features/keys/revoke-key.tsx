"use client";

import { useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button, getButtonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";

interface RevokeKeyProps {
  id: string;
  label: string;
  action: FormAction;
  confirmed: boolean;
}

/** Revokes a key after a confirmation. Without a script the link leads to the same form on the key's page. */
export function RevokeKey({ id, label, action, confirmed }: RevokeKeyProps) {
  const [isOpen, setIsOpen] = useState(false);
  const revoke: FormAction = async (before, form) => {
    const after = await action(before, form);
    if (after.done) {
      setIsOpen(false);
      announce(`“${label}” was revoked. You can undo this for 15 minutes`);
    }
    return after;
  };

  return (
    <>
      <Link
        href={`/keys/${id}#revoke`}
        prefetch={false}
        className={getButtonClass("secondary", "sm")}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        Revoke<span className="sr-only"> {label}</span>
      </Link>
      <Dialog open={isOpen} title={`Revoke “${label}”?`} onDismiss={() => setIsOpen(false)}>
        <p className="mt-2 mb-4 text-dim">
          Every call with this key is refused from now on. You can undo this for 15 minutes.
        </p>
        <ActionForm
          id={id}
          action={revoke}
          submit="Revoke key"
          look="danger"
          confirmed={confirmed}
          aside={
            <Button look="quiet" onClick={() => setIsOpen(false)}>
              Keep key
            </Button>
          }
        />
      </Dialog>
    </>
  );
}
