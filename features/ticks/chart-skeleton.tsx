import { Skeleton } from "@/components/ui/skeleton";
import { BODY_CLASS } from "@/features/ticks/classes";

/** Shown in place of the chart and its table while they load. */
export function ChartSkeleton() {
  return (
    <div className={BODY_CLASS}>
      <p role="status" className="sr-only">
        Loading recorded prices
      </p>
      <Skeleton className="h-4 w-64 max-w-full" />
      <Skeleton className="h-[clamp(15rem,48dvh,30rem)]" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-full" />
    </div>
  );
}
