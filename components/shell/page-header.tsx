import type { ReactNode } from "react";

/** The first line of a page: its name, and what belongs beside it. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="page-header">
      <h1 className="mr-auto text-base font-semibold tracking-[-0.01em]">{title}</h1>
      {children}
    </div>
  );
}
