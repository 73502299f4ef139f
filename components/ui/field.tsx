import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";

const BOX_CLASS =
  "w-full rounded-md border border-edge bg-raised px-2.5 text-ink placeholder:text-faint hover:border-dim aria-invalid:border-down disabled:opacity-60";

/** The error of one field. Its element is always in the page, so that screen readers announce new text. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} aria-live="polite" className="text-xs13 text-down empty:hidden">
      {children}
    </div>
  );
}

interface FieldProps {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  /** Shown at the end of the label's line. */
  aside?: ReactNode;
}

function listDescriptions({ id, hint, error }: FieldProps): string | undefined {
  const ids = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

/** The label, hint and error around a field. The element with the error is "ID-error". */
export function FieldFrame({ id, label, hint, error, aside, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-xs13 text-faint">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  aside,
  className = "",
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const field = { id: input.id, label, hint, error, aside };
  return (
    <FieldFrame {...field}>
      <input
        className={`h-10 ${BOX_CLASS} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={listDescriptions(field)}
        {...input}
      />
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  aside,
  className = "",
  ...area
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const field = { id: area.id, label, hint, error, aside };
  return (
    <FieldFrame {...field}>
      <textarea
        className={`py-2 ${BOX_CLASS} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={listDescriptions(field)}
        {...area}
      />
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  aside,
  className = "",
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const field = { id: select.id, label, hint, error, aside };
  return (
    <FieldFrame {...field}>
      <select
        className={`h-10 ${BOX_CLASS} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={listDescriptions(field)}
        {...select}
      />
    </FieldFrame>
  );
}
