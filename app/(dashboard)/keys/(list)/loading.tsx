import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";

export default function KeysLoading() {
  return (
    <>
      <PageHeader title="API keys" />
      <p role="status" className="sr-only">
        Loading keys
      </p>
      <div className="grid gap-5 border-t border-line px-4 py-5">
        <Skeleton className="h-4 w-full max-w-3xl" />
        <Skeleton className="h-4 w-full max-w-3xl" />
        <Skeleton className="h-4 w-full max-w-3xl" />
      </div>
    </>
  );
}
