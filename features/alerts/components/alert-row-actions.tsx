"use client";

import { Pause, Pencil, Play, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button, getButtonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import type { AlertLine } from "@/features/alerts/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";

export interface AlertRowActions {
  readonly pause: FormAction;
  readonly resume: FormAction;
  readonly remove: FormAction;
}

const ICON_CLASS = getButtonClass("quiet", "sm");

/** The buttons of one alert: pause or resume, edit, delete. All work without a script. */
export function AlertButtons({ alert, actions }: { alert: AlertLine; actions: AlertRowActions }) {
  const { id, name, isActive } = alert;
  return (
    <div className="flex items-start justify-end gap-0.5 max-wide:justify-start">
      <ActionForm
        id={id}
        action={isActive ? actions.pause : actions.resume}
        look="quiet"
        size="sm"
        className="grid max-w-48 gap-1"
        submit={<IconText Icon={isActive ? Pause : Play} text={isActive ? "Pause" : "Resume"} name={name} />}
      />
      <Link href={`/alerts?edit=${id}`} title="Edit" className={ICON_CLASS}>
        <Pencil aria-hidden size={14} />
        <span className="sr-only">Edit {name}</span>
      </Link>
      <DeleteAlert id={id} name={name} action={actions.remove} />
    </div>
  );
}

function IconText({ Icon, text, name }: { Icon: typeof Pause; text: string; name: string }): ReactNode {
  return (
    <span title={text}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">
        {text} {name}
      </span>
    </span>
  );
}

/** Deletes an alert after a confirmation. Without a script the link leads to the same form below that of the alert. */
function DeleteAlert({ id, name, action }: { id: string; name: string; action: FormAction }) {
  const [isOpen, setIsOpen] = useState(false);
  const remove: FormAction = async (before, form) => {
    const after = await action(before, form);
    if (after.done) {
      setIsOpen(false);
      announce("Alert deleted");
    }
    return after;
  };
  return (
    <>
      <Link
        href={`/alerts?edit=${id}#delete`}
        prefetch={false}
        title="Delete"
        className={ICON_CLASS}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        <Trash2 aria-hidden size={14} />
        <span className="sr-only">Delete {name}</span>
      </Link>
      <Dialog open={isOpen} title="Delete this alert?" onDismiss={() => setIsOpen(false)}>
        <p className="mt-2 mb-4 text-dim">“{name}” and its log are deleted for good.</p>
        <ActionForm
          id={id}
          action={remove}
          submit="Delete alert"
          look="danger"
          aside={
            <Button look="quiet" onClick={() => setIsOpen(false)}>
              Keep alert
            </Button>
          }
        />
      </Dialog>
    </>
  );
}
