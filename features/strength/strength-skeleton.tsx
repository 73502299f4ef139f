import { Skeleton } from "@/components/ui/skeleton";

/** The ranking before it has come. */
export function StrengthSkeleton() {
  return (
    <div className="strength-sheet grid gap-5">
      <p role="status" className="sr-only">
        Loading currency strength
      </p>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-4 w-full max-w-3xl" />
      ))}
    </div>
  );
}
