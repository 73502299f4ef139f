import { ChartCredit } from "@/components/shared/chart-parts";
import { useZone } from "@/components/shared/zone-context";
import { Notice } from "@/components/ui/notice";
import { MOST_STORED_BARS } from "@/features/symbols/bar-store";
import { type LiveStore, useLive } from "@/features/symbols/live-store";
import type { Bars } from "@/features/symbols/use-bars";
import { formatPlansWith } from "@/lib/access/plans";
import type { PriceSide } from "@/lib/market/price";
import { formatCount } from "@/lib/text/text";

interface ChartNotesProps {
  bars: Bars;
  live: LiveStore;
  /** Whether the address names indicators that the plan does not include. */
  lacksIndicators: boolean;
}

/** What is wrong with the chart now, above it. */
export function ChartNotes({ bars, live, lacksIndicators }: ChartNotesProps) {
  const { connection } = useLive(live);
  if (connection === "offline") {
    return <Notice tone="error">The server is not responding. The chart may be out of date.</Notice>;
  }
  if (bars.hasFailed) return <Notice tone="error">Some bars could not be loaded. Trying again.</Notice>;
  if (lacksIndicators) {
    return (
      <Notice tone="note">
        Lines of indicators are included in {formatPlansWith("indicatorHistory")}, here and in the API.
      </Notice>
    );
  }
  if (bars.loaded?.store.isFull === true) {
    return (
      <Notice tone="note">
        The chart holds {formatCount(MOST_STORED_BARS)} bars. Choose a longer timeframe to see earlier ones.
      </Notice>
    );
  }
  return null;
}

/** What the bars of the chart are, and the maker of the library that draws it. */
export function ChartFoot({ price }: { price: PriceSide }) {
  const zone = useZone();
  return (
    <p className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 px-4 py-2 text-xs12 text-faint max-md:px-3">
      <span>
        {price === "bid"
          ? "Bars are made of bid prices."
          : `Bars, and indicators on them, are made of ${price} prices.`}{" "}
        Times are in {zone}; days begin at 17:00 in New York.
      </span>
      <ChartCredit />
    </p>
  );
}
