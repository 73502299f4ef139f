import type { ComponentProps, ReactNode } from "react";

type FigureTag = "span" | "code" | "dd" | "ol" | "p" | "pre" | "td" | "th" | "time";

type FigureProps<Tag extends FigureTag> = ComponentProps<Tag> & { as?: Tag };

/**
 * A price, a time, a code or another text that is in no language. Its digits have equal widths, and a browser that
 * translates the page leaves it as it is.
 */
export function Figure<Tag extends FigureTag = "span">({ as, className = "", ...props }: FigureProps<Tag>) {
  // What a tag takes besides is checked where it is used.
  const Element = (as ?? "span") as "span";
  return <Element translate="no" className={`numerals ${className}`} {...(props as ComponentProps<"span">)} />;
}

/** Whether a content is texts without a letter, such as "12.5 %", which are figures wherever they stand. */
export function isWordless(content: ReactNode): boolean {
  if (Array.isArray(content)) return content.every(isWordless);
  return typeof content === "number" || (typeof content === "string" && !/\p{L}/u.test(content));
}
