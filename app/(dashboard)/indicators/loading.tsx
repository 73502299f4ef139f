import { PageHeader } from "@/components/shell/page-header";
import { IndicatorSkeleton } from "@/features/indicators/indicator-skeleton";

export default function IndicatorsLoading() {
  return (
    <>
      <PageHeader title="Indicators" />
      <IndicatorSkeleton />
    </>
  );
}
