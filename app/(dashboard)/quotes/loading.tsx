import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import "@/components/market/board.css";

const ROWS = 18;

/** The board's own shape, so that nothing moves when the prices come. */
export default function QuotesLoading() {
  return (
    <>
      <PageHeader title="Quotes" />
      <p role="status" className="sr-only">
        Loading quotes
      </p>
      <div className="board-toolbar">
        <Skeleton className="h-8 w-60" />
      </div>
      <div className="board-head h-8" />
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className="board-row">
          <span />
          <Skeleton className="h-3.5 w-44" />
          <Skeleton className="ml-8 h-3.5" />
          <Skeleton className="ml-8 h-3.5" />
        </div>
      ))}
    </>
  );
}
