import { AlarmClock, CalendarDays, ChartCandlestick, ChartNoAxesColumn, Gauge, type LucideIcon } from "lucide-react";
import { Link } from "@/components/ui/link";
import { RowSources } from "@/features/quotes/row/row-sources";
import { listSymbolLinks } from "@/features/quotes/row/symbol-links";
import type { BoardInstrument } from "@/features/quotes/types";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  chart: ChartCandlestick,
  spread: ChartNoAxesColumn,
  indicators: Gauge,
  alert: AlarmClock,
  calendar: CalendarDays,
};

/** What an opened row shows: the ways to the symbol's other pages, and the quotes of its sources. */
export function RowDetail({ instrument }: { instrument: BoardInstrument }) {
  return (
    <>
      <nav
        aria-label={`Pages of ${instrument.symbol}`}
        className="flex flex-wrap gap-x-1 gap-y-1 pt-2 pr-4 pl-12.5 max-md:px-1"
      >
        {listSymbolLinks(instrument.symbol).map(({ kind, href, text }) => {
          const Icon = ICONS[kind] as LucideIcon;
          return (
            <Link
              key={kind}
              href={href}
              prefetch={false}
              className="inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 text-xs13 text-dim hover:bg-hover hover:text-ink max-md:h-10"
            >
              <Icon aria-hidden size={14} strokeWidth={1.75} className="text-faint" />
              {text}
            </Link>
          );
        })}
      </nav>
      <RowSources instrument={instrument} />
    </>
  );
}
