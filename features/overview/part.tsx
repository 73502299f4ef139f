import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { toCivilTime } from "@/lib/time/civil-time";

interface PartProps {
  id: string;
  title: string;
  /** The page with more. */
  href: string;
  /** A word beside the title. */
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One part of the overview. Its title leads to the page with more. */
export function Part({ id, title, href, note, className = "", children }: PartProps) {
  return (
    <section aria-labelledby={id} className={`min-w-0 bg-bg px-4 pt-2.5 pb-3 max-md:px-3 ${className}`}>
      <div className="mb-1.5 flex min-h-6 items-center justify-between gap-3">
        <h2 id={id} className="text-xs13 font-medium">
          <Link href={href} className="group inline-flex items-center gap-0.5 hover:text-accent-ink">
            {title}
            <ChevronRight aria-hidden size={14} className="text-faint group-hover:text-accent-ink" />
          </Link>
        </h2>
        {note !== undefined && <span className="text-xs12 text-faint tabular-nums">{note}</span>}
      </div>
      {children}
    </section>
  );
}

/** What a part shows in place of data. */
export function NothingHere({ children }: { children: ReactNode }) {
  return <p className="max-w-prose py-1 text-xs13 text-dim">{children}</p>;
}

/** A symbol that leads to its page. */
export function SymbolLink({ symbol }: { symbol: string }) {
  return (
    <Link href={`/symbols/${symbol}`} translate="no" className="font-medium underline-offset-4 hover:underline">
      {symbol}
    </Link>
  );
}

const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });

/** A moment of the next days on a zone's clock: "13:30", or "Mon 13:30" on another day than now. UTC milliseconds. */
export function formatWhen(atMs: number, nowMs: number, zone: string): string {
  const [at, now] = [toCivilTime(zone, atMs), toCivilTime(zone, nowMs)];
  const time = new Date(at.msOfDay).toISOString().slice(11, 16);
  if (at.day === now.day && at.month === now.month) return time;
  return `${WEEKDAY.format(Date.UTC(at.year, at.month - 1, at.day))} ${time}`;
}
