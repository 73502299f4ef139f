import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

/** The classes of a field of a filter. */
export const FILTER_BOX =
  "h-9 min-w-0 rounded-md border border-edge bg-raised px-2.5 text-ink placeholder:text-faint hover:border-dim max-md:h-10";

interface SearchInputProps {
  name: string;
  label: string;
  placeholder: string;
  /** The current search. */
  value: string;
  maxLength: number;
}

/** A search field for names and ids, without the browser's corrections. */
export function SearchInput({ name, label, placeholder, value, maxLength }: SearchInputProps) {
  return (
    <input
      type="search"
      name={name}
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value}
      key={value}
      maxLength={maxLength}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className={`flex-[0_1_24rem] max-md:col-span-full max-md:w-full ${FILTER_BOX}`}
    />
  );
}

interface FilterFormProps {
  /** The page that shows the results, with the fields in its address. */
  action: string;
  submit: string;
  children: ReactNode;
}

/** Filters a list by the page's address, so that it works without a script. */
export function FilterForm({ action, submit, children }: FilterFormProps) {
  return (
    <form
      action={action}
      role="search"
      className="flex flex-wrap gap-2 px-4 pb-3 max-md:grid max-md:grid-cols-2 max-md:px-3"
    >
      {children}
      <Button type="submit" className="max-md:col-span-full max-md:w-full">
        {submit}
      </Button>
    </form>
  );
}
