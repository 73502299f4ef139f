import type { ReactNode } from "react";
import { NewsMark } from "@/components/shared/news-mark";
import { UtcClock } from "@/components/shared/utc-clock";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";
import type { Runtime } from "@/lib/runtime";
import { HOUR_MS } from "@/lib/time/units";

/** The date is shown if the market clock differs from the wall clock by more than this. */
const DATED_FROM_MS = HOUR_MS;

interface MarketHeaderProps {
  title: string;
  runtime: Runtime;
  /** The currencies of the mark of near releases, "EUR,USD"; all without it. */
  currencies?: string;
  /** Shown at the end. */
  children?: ReactNode;
}

/** The first line of every page with prices. Prices that are not live have a label. */
export function MarketHeader({ title, runtime, currencies, children }: MarketHeaderProps) {
  const modes = new Set(runtime.listSources().map(({ mode }) => mode));
  return (
    <PageHeader title={title}>
      <NewsMark currencies={currencies} />
      {[...modes].map((mode) => (
        <DataModeBadge key={mode} mode={mode} />
      ))}
      <UtcClock dated={Math.abs(runtime.now() - runtime.marketNow()) > DATED_FROM_MS} />
      {children}
    </PageHeader>
  );
}
