"use client";

import { useRouter } from "next/navigation";
import { HeatTable } from "@/components/shared/heat-table";
import { ZoneSelect } from "@/components/shared/zone-select";
import { Figure } from "@/components/ui/figure";
import { keepAt } from "@/components/ui/past-address";
import { Skeleton } from "@/components/ui/skeleton";
import { ScrollRegion } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { formatPips } from "@/features/spreads/spread-text";
import type { SpreadWeekData } from "@/features/spreads/types";
import { type SpreadsView, toViewHref } from "@/features/spreads/url";

/** The week changes when an hour is closed. */
const REFRESH_MS = 300_000;
const ZONES = [
  ["America/New_York", "New York time"],
  ["Europe/London", "London time"],
  ["Asia/Tokyo", "Tokyo time"],
  ["Australia/Sydney", "Sydney time"],
] as const;
/** From Monday on. The data begins with Sunday. */
const DAYS = [1, 2, 3, 4, 5, 6, 0] as const;
const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** The median spread of one symbol by weekday and hour. */
export function SpreadWeek({ view }: { view: SpreadsView }) {
  const { selected, zone } = view;
  const router = useRouter();
  const url = `/spreads/${selected}/week?${new URLSearchParams({ zone })}`;
  const { data, isOffline } = useFresh<SpreadWeekData>(url, REFRESH_MS);
  const isEmpty = data?.cells.flat().every((median) => median === null) ?? false;
  return (
    <section aria-labelledby="spread-week" className="px-4 pb-8 max-md:px-3">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="spread-week" className="font-semibold">
          {selected} by weekday and hour
          <span className="ml-2.5 text-xs13 font-normal text-dim">median spread in pips, last 30 days</span>
        </h2>
        <ZoneSelect
          zone={zone}
          zones={ZONES}
          onChange={(next) => router.replace(keepAt(toViewHref({ ...view, zone: next })), { scroll: false })}
        />
      </div>
      {data === undefined ? (
        <div className="grid h-62 content-center gap-3">
          {isOffline ? (
            <p role="alert" className="text-center text-xs13 text-down">
              The week could not be loaded. Trying again.
            </p>
          ) : (
            DAYS.map((day) => <Skeleton key={day} className="h-5 w-full" />)
          )}
        </div>
      ) : isEmpty ? (
        <p className="text-dim">No hour of {selected} is complete yet. The first is shown when it ends.</p>
      ) : (
        <ScrollRegion label={`${selected} by weekday and hour`}>
          <div className="min-w-[60rem]">
            <Week data={data} selected={selected} />
          </div>
        </ScrollRegion>
      )}
      <p className="mt-1.5 text-xs12 text-faint">
        Half of the seconds of an hour were as tight as its median or tighter. The more colour, the wider, on a
        logarithmic scale.
      </p>
    </section>
  );
}

function Week({ data: { cells }, selected }: { data: SpreadWeekData; selected: string }) {
  const known = cells.flat().filter((median) => median !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));
  return (
    <HeatTable
      tone="one"
      caption={`Median spread of ${selected} in pips by weekday and hour`}
      rowClassName="h-7"
      headClassName="w-11"
      columns={hours.map((hour) => ({ key: hour, head: <Figure>{hour}</Figure> }))}
      rows={DAYS.map((day) => ({
        key: DAY_NAMES[day],
        head: DAY_NAMES[day],
        cells: (cells[day] ?? []).map((median, hour) => {
          if (median === null) return null;
          const text = formatPips(median);
          return {
            text,
            heat: getHeat(median, least, most),
            label: `${DAY_NAMES[day]} ${hours[hour]}:00: ${text} pips`,
          };
        }),
      }))}
    />
  );
}

/** Where a spread lies between the tightest and the widest, from 0 to 1, on a logarithmic scale. */
function getHeat(median: number, least: number, most: number): number {
  // A spread of zero has no logarithm.
  const scale = (pips: number) => Math.log(pips + 0.1);
  return most === least ? 0 : (scale(median) - scale(least)) / (scale(most) - scale(least));
}
