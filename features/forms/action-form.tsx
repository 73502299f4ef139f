"use client";

import { type ReactNode, useActionState, useRef } from "react";
import type { ButtonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { type ActionState, type FormAction, UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { useDraft } from "@/features/forms/use-draft";
import { useFieldErrors } from "@/features/forms/use-field-errors";

interface ActionFormProps<Result> {
  action: FormAction<Result>;
  /** Id of the record that the action changes. */
  id?: string;
  /** The text of the button. */
  submit: ReactNode;
  /** Shown when the action was carried out. */
  done?: ReactNode;
  look?: ButtonLook;
  size?: "md" | "sm";
  /**
   * Whether the password was confirmed a moment ago; if not, the form asks for it. Omitted where no password is needed.
   */
  confirmed?: boolean;
  /** Hides the form behind this line until the line is opened. */
  summary?: string;
  /** Shown beside the button. */
  aside?: ReactNode;
  className?: string;
  /** The fields, or a function from the last outcome to the fields. */
  children?: ReactNode | ((state: ActionState<Result>) => ReactNode);
}

/** A form for one server action. It works without a script. */
export function ActionForm<Result = void>(props: ActionFormProps<Result>) {
  const { action, id, submit, done, look = "secondary", size, confirmed, summary, aside, className, children } = props;
  const [state, formAction] = useActionState(action, UNSENT);
  const formRef = useRef<HTMLFormElement>(null);
  const { errors, onChange } = useFieldErrors(state.errors);
  // Buttons whose text has elements look the same here, so the line that opens the form comes first.
  const onInput = useDraft(formRef, `${summary ?? String(submit)} ${id ?? ""}`, state);
  const form = (
    <form ref={formRef} action={formAction} onChange={onChange} onInput={onInput} className={className ?? "grid gap-3"}>
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      {state.done && done !== undefined && (
        <div role="status">
          <Notice tone="note">{done}</Notice>
        </div>
      )}
      {typeof children === "function" ? children({ ...state, errors }) : children}
      {confirmed !== undefined && <ConfirmField confirmed={confirmed && state.isUnconfirmed !== true} />}
      <div className="flex flex-wrap justify-end gap-2 in-data-part:justify-start">
        {aside}
        <SubmitButton look={look} size={size}>
          {submit}
        </SubmitButton>
      </div>
    </form>
  );
  if (summary === undefined) return form;
  return (
    <details open={!state.done && state.error !== undefined}>
      <summary className="cursor-pointer py-1 text-xs13">{summary}</summary>
      <div className="pt-2">{form}</div>
    </details>
  );
}
