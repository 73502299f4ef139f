import { Skeleton } from "@/components/ui/skeleton";

const TABLES = ["h-128", "h-64", "h-56", "h-40"];

/** The grid of the readings: one column on a phone, two or three where there is room. */
export const READINGS_CLASS =
  "grid grid-cols-[minmax(17rem,22rem)_repeat(2,minmax(19rem,27rem))] items-start gap-x-8 gap-y-4 border-t border-line p-4 max-wide:grid-cols-2 max-md:grid-cols-1 max-md:p-3";

/** Shown in place of the readings while they load. */
export function IndicatorSkeleton() {
  return (
    <div className={READINGS_CLASS}>
      <p role="status" className="sr-only">
        Loading indicators
      </p>
      {TABLES.map((height) => (
        <div key={height} className={`grid content-start gap-3 p-4 ${height}`}>
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}
