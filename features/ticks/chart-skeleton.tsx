import { Skeleton } from "@/components/ui/skeleton";

/** Where a chart and its table will be. */
export function ChartSkeleton() {
  return (
    <div className="history-sheet">
      <p role="status" className="sr-only">
        Loading recorded prices
      </p>
      <Skeleton className="h-4 w-64 max-w-full" />
      <Skeleton className="history-plot" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-full" />
    </div>
  );
}
