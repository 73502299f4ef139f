import type { ReactNode } from "react";

/** One line of a `dl`: what it is, and what it is now. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
