import { PageHeader } from "@/components/shell/page-header";
import { ChartSkeleton } from "@/features/ticks/chart-skeleton";

export default function TicksLoading() {
  return (
    <>
      <PageHeader title="Ticks & bars" />
      <ChartSkeleton />
    </>
  );
}
