import type { ReactNode } from "react";

interface PagePartProps {
  /** The id of the heading, which names the part; links may lead to it. */
  titleId: string;
  title: ReactNode;
  /** The explanation beside the form. */
  text?: ReactNode;
  children?: ReactNode;
}

/** A part of a page: heading, explanation and a form beside it. The first part below the header has no line above. */
export function PagePart({ titleId, title, text, children }: PagePartProps) {
  return (
    <section
      aria-labelledby={titleId}
      className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-2 border-t border-line px-4 py-5 md:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] [[data-page-header]+&]:border-t-0"
    >
      <h2 id={titleId} className="scroll-mt-16 font-medium md:col-span-full">
        {title}
      </h2>
      {text !== undefined && <p className="text-xs13 text-dim">{text}</p>}
      {children}
    </section>
  );
}

/** A part of a page that lists things over its whole width, below its heading. */
export function ListPart({ titleId, title, children }: Omit<PagePartProps, "text">) {
  return (
    <section aria-labelledby={titleId} className="border-t border-line py-5">
      <h2 id={titleId} className="mx-4 mb-2 font-medium">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The classes of a toolbar, for forms that look like one. */
export const TOOLBAR_CLASS =
  "flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 max-md:gap-x-2 max-md:px-3 max-md:py-2";

/** The line of filters and switches above a page's data. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={TOOLBAR_CLASS}>{children}</div>;
}
