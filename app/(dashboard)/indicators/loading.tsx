import { PageHeader } from "@/components/shell/page-header";
import { SheetSkeleton } from "@/features/indicators/indicator-skeleton";

import "@/features/indicators/indicators.css";

export default function IndicatorsLoading() {
  return (
    <>
      <PageHeader title="Indicators" />
      <SheetSkeleton />
    </>
  );
}
