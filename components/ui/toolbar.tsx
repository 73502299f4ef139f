import type { ReactNode } from "react";

/** The classes of a toolbar, for forms that look like one. */
export const TOOLBAR_CLASS =
  "flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 max-md:gap-x-2 max-md:px-3 max-md:py-2";

/** The line of filters and switches above a page's data. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={TOOLBAR_CLASS}>{children}</div>;
}
