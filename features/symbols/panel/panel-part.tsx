import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

interface PanelPartProps {
  id: string;
  title: string;
  /** The page that has more of it. */
  href: string;
  linkText: string;
  children: ReactNode;
}

/** One part of the column beside the chart. */
export function PanelPart({ id, title, href, linkText, children }: PanelPartProps) {
  return (
    <section aria-labelledby={id} className="grid content-start gap-1.5 border-t border-line px-4 py-3 max-md:px-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-xs12 text-faint">
          {title}
        </h2>
        <Link href={href} className="py-1 text-xs12 text-dim underline-offset-[3px] hover:text-ink hover:underline">
          {linkText}
        </Link>
      </div>
      {children}
    </section>
  );
}

/** A line of a part: a name and a figure. */
export function PanelLine({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-3 text-xs13">
      <dt className="text-dim">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
