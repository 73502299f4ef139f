import { ChartSkeleton } from "@/components/history/chart-skeleton";
import { PageHeader } from "@/components/shell/page-header";
import "@/components/history/history.css";

export default function TicksLoading() {
  return (
    <>
      <PageHeader title="Ticks & bars" />
      <ChartSkeleton />
    </>
  );
}
