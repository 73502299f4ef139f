import type { ReactNode } from "react";

/** The legend of one line of a price chart. */
export function ChartKey({ side, children }: { side: "bid" | "ask"; children: ReactNode }) {
  const colour = side === "bid" ? "before:border-accent-ink" : "before:border-dim";
  return (
    <span
      className={`before:mr-1.5 before:inline-block before:w-3.5 before:border-t-2 before:align-middle before:content-[''] ${colour}`}
    >
      {children}
    </span>
  );
}
