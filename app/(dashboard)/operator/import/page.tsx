import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { readImports } from "@/features/imports/data";
import { ImportsView } from "@/features/imports/imports-view";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Import" };

/** Imports prices of the past from files, for operators only. */
export default definePage("Import", async function ImportsPage() {
  await requireOperator("/operator/import");
  return (
    <>
      <PageHeader title="Import" />
      <ImportsView initial={await readImports(await getRuntime())} />
    </>
  );
});
