/** How the fields look that say which of many is wanted. */
export const filterBox =
  "h-9 min-w-0 rounded-md border border-edge bg-raised px-2.5 text-ink placeholder:text-faint hover:border-dim max-md:h-10";

interface SearchInputProps {
  name: string;
  label: string;
  placeholder: string;
  /** What was searched for last. */
  value: string;
  maxLength: number;
}

/** A search for something that is not a word of any language. */
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
      className={filterBox}
    />
  );
}
