import type { ReactNode } from "react";

interface PagePartProps {
  /** The id of the heading, which names the part; links may lead to it. */
  titleId: string;
  title: ReactNode;
  /** The explanation beside the form. */
  text?: ReactNode;
  /** Whether its form has fields side by side. */
  isWide?: boolean;
  children?: ReactNode;
}

/** A part of a page: heading, explanation and a form below it. Lines divide it from the parts around it. */
export function PagePart({ titleId, title, text, isWide = false, children }: PagePartProps) {
  return (
    <section
      data-part
      aria-labelledby={titleId}
      className={`grid ${isWide ? "grid-cols-[minmax(0,84rem)]" : "grid-cols-[minmax(0,28rem)]"} content-start gap-y-3 border-t border-line px-4 py-4 max-md:px-3`}
    >
      <h2 id={titleId} className="scroll-mt-16 font-medium">
        {title}
      </h2>
      {text !== undefined && <p className="-mt-1.5 mb-1 text-xs13 text-dim">{text}</p>}
      {children}
    </section>
  );
}

/** Parts side by side, as many as the page has room for, with lines between them. */
export function PageParts({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(28rem,100%),1fr))] overflow-hidden *:-ml-px *:border-l *:border-line">
      {children}
    </div>
  );
}

interface BesideProps {
  /** What the page lists. */
  children: ReactNode;
  /** The form or the choices beside it. */
  aside: ReactNode;
  /** Whether the aside comes first where there is no room beside the list. */
  isFirst?: boolean;
}

/** A page's list with a narrow column beside it. */
export function Beside({ children, aside, isFirst = false }: BesideProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] border-t border-line wide:min-h-[calc(100dvh-3rem)] wide:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="min-w-0">{children}</div>
      <div
        className={`overflow-hidden border-line *:border-t-0 wide:border-l ${isFirst ? "max-wide:order-first" : "max-wide:border-t"}`}
      >
        {aside}
      </div>
    </div>
  );
}

/** A part of a page that lists things over its whole width, below its heading. */
export function ListPart({ titleId, title, children }: Omit<PagePartProps, "text" | "isWide">) {
  return (
    <section aria-labelledby={titleId} className="min-w-0 border-t border-line py-4">
      <h2 id={titleId} className="mx-4 mb-2 font-medium max-md:mx-3">
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
