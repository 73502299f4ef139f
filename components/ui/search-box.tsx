import { Search } from "lucide-react";
import type { ComponentProps } from "react";

interface SearchBoxProps extends ComponentProps<"input"> {
  label: string;
  /** Classes of the box around the field, such as its width. */
  boxClassName: string;
}

/** A search field with its icon. Children are shown at its end: a key to press, or a button that clears the field. */
export function SearchBox({ label, boxClassName, children, ...input }: SearchBoxProps) {
  return (
    <div className={`relative ${boxClassName}`} role="search">
      <Search
        aria-hidden
        size={15}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-2 left-2.5 text-faint max-md:top-3"
      />
      <input aria-label={label} placeholder={label} autoComplete="off" {...input} className={`px-8 ${FIELD_CLASS}`} />
      {children}
    </div>
  );
}

/** The classes of a low field in a toolbar. Text below 16 pixels would make iOS zoom the page into the field. */
export const FIELD_CLASS =
  "h-8 w-full rounded-md border border-edge bg-raised text-xs13 text-ink placeholder:text-faint max-md:h-10 max-md:text-base";
