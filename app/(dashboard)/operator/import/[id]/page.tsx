import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { Link } from "@/components/ui/link";
import { issueFormTicket } from "@/features/forms/define-action";
import {
  discardImport,
  planImport,
  startImport,
  stopImport,
  takeSuggestion,
  undoImport,
} from "@/features/imports/actions";
import { readImport } from "@/features/imports/data";
import { RunView } from "@/features/imports/run-view";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Import" };

/** One import, for operators only. */
export default definePage("Import", async function ImportPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const operator = await requireOperator(`/operator/import/${encodeURIComponent(id)}`);
  const initial = await readImport(await getRuntime(), id);
  if (initial.run === null) notFound();
  const ticket = await issueFormTicket();
  return (
    <>
      <PageHeader title="Import">
        <Link href="/operator/import" className="text-xs13 text-dim underline underline-offset-[3px] hover:text-ink">
          All imports
        </Link>
      </PageHeader>
      <RunView
        id={id}
        initial={initial}
        confirmed={await isConfirmed(operator.id)}
        actions={{
          plan: planImport.bind(null, ticket),
          suggestion: takeSuggestion.bind(null, ticket),
          start: startImport.bind(null, ticket),
          stop: stopImport.bind(null, ticket),
          undo: undoImport.bind(null, ticket),
          discard: discardImport.bind(null, ticket),
        }}
      />
    </>
  );
});
