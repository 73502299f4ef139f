import type { ReactNode } from "react";

/** The first line of a page: its title, and `children` beside it. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div
      data-page-header
      className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1 max-md:min-h-11 max-md:px-3"
    >
      <h1 className="mr-auto text-base font-semibold tracking-[-0.01em]">{title}</h1>
      {children}
    </div>
  );
}
