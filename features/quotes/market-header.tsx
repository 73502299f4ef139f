import { UtcClock } from "@/components/shared/utc-clock";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";
import type { Runtime } from "@/lib/runtime";
import { HOUR_MS } from "@/lib/time/units";

/** A market this far from the wall clock lives on another day, or as good as. */
const ANOTHER_DAY_MS = HOUR_MS;

/** The first line of every page that shows prices: it always says whether they are a live market's. */
export function MarketHeader({ title, runtime }: { title: string; runtime: Runtime }) {
  const modes = new Set(runtime.sources.map(({ mode }) => mode));
  return (
    <PageHeader title={title}>
      {[...modes].map((mode) => (
        <DataModeBadge key={mode} mode={mode} />
      ))}
      <UtcClock dated={Math.abs(runtime.now() - runtime.marketNow()) > ANOTHER_DAY_MS} />
    </PageHeader>
  );
}
