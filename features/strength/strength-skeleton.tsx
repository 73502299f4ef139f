import { Skeleton } from "@/components/ui/skeleton";

/** Holds the places of the first two panels. */
export function StrengthSkeleton() {
  return (
    <div className="border-t border-line px-4 pt-4 max-md:px-3">
      <p role="status" className="sr-only">
        Loading currency strength
      </p>
      <div className="grid gap-x-16 gap-y-4 pt-12 xl:grid-cols-[24rem_minmax(0,1fr)]">
        {Array.from({ length: 16 }, (_, index) => (
          <Skeleton key={index} className="h-5.5 w-full" />
        ))}
      </div>
    </div>
  );
}
