import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";
import { UtcClock } from "@/components/shell/utc-clock";
import type { Runtime } from "@/lib/runtime";

/** The first line of every page that shows prices: it always says whether they are a live market's. */
export function MarketHeader({ title, runtime }: { title: string; runtime: Runtime }) {
  const modes = new Set(runtime.sources.map(({ mode }) => mode));
  return (
    <PageHeader title={title}>
      {[...modes].map((mode) => (
        <DataModeBadge key={mode} mode={mode} />
      ))}
      <UtcClock initialMs={runtime.now()} />
    </PageHeader>
  );
}
