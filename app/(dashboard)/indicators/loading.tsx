import { SheetSkeleton } from "@/components/indicators/sheet-skeleton";
import { PageHeader } from "@/components/shell/page-header";
import "@/components/indicators/indicators.css";

export default function IndicatorsLoading() {
  return (
    <>
      <PageHeader title="Indicators" />
      <SheetSkeleton />
    </>
  );
}
