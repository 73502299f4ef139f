import { Skeleton } from "@/components/ui/skeleton";

const TABLES = ["h-128", "h-64", "h-56", "h-40"];

/** Where the readings will be. */
export function SheetSkeleton() {
  return (
    <div className="sheet">
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
