import type { ReactNode } from "react";
import { isWordless } from "@/components/ui/figure";

interface FactProps {
  name: ReactNode;
  className?: string;
  /** Whether the value is a code or another figure, which a browser must not translate. */
  isFigure?: boolean;
  valueClassName?: string;
  children: ReactNode;
}

/** One line of a `dl`: a name and its value now. */
export function Fact({ name, className, isFigure = false, valueClassName = "", children }: FactProps) {
  return (
    <div className={className}>
      <dt className="text-xs12 text-faint">{name}</dt>
      <dd
        translate={isFigure || isWordless(children) ? "no" : undefined}
        className={`${isFigure ? "numerals" : ""} ${valueClassName}`}
      >
        {children}
      </dd>
    </div>
  );
}

/** A list of facts, as many side by side as fit. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-6 gap-y-3.5 border-t border-line px-4 py-3.5 text-xs13 max-md:px-3 [&_dt]:mb-0.5">
      {children}
    </dl>
  );
}

interface StatProps {
  name: ReactNode;
  children: ReactNode;
}

/** A large figure in a `dl`, with its name above it. */
export function Stat({ name, children }: StatProps) {
  return (
    <div>
      <dt className="text-xs12 text-dim">{name}</dt>
      <dd translate="no" className="font-mono text-lg/7 tabular-nums">
        {children}
      </dd>
    </div>
  );
}
