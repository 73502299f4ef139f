import { type ReactNode, useState } from "react";
import { CHECK_CLASS } from "@/components/ui/pill";

interface RestrictionProps {
  title: string;
  /** What is chosen now, in a few words. */
  state: string;
  isRestricted: boolean;
  hasError: boolean;
  children: ReactNode;
}

/** A part of the form that restricts a key. It starts closed, because most keys need no such list. */
export function Restriction({ title, state, isRestricted, hasError, children }: RestrictionProps) {
  const [isOpen, setOpen] = useState(isRestricted);
  return (
    <details
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border border-line bg-panel"
    >
      <summary className="px-3 py-2.5 font-medium">
        {title}
        <span className="ml-2 text-xs13 font-normal text-dim">{state}</span>
      </summary>
      <div className="border-t border-line p-3">{children}</div>
    </details>
  );
}

interface ChoiceProps<Value extends string> {
  name: string;
  option: Value;
  chosen: readonly Value[];
  onChange: (chosen: readonly Value[]) => void;
  className: string;
}

/** One of several values that can be chosen together. */
export function Choice<Value extends string>({ name, option, chosen, onChange, className }: ChoiceProps<Value>) {
  return (
    <label className={`flex items-start py-1 ${className}`}>
      <input
        type="checkbox"
        name={name}
        value={option}
        checked={chosen.includes(option)}
        onChange={({ target }) =>
          onChange(target.checked ? [...chosen, option] : chosen.filter((other) => other !== option))
        }
        className={CHECK_CLASS}
      />
      {option}
    </label>
  );
}
