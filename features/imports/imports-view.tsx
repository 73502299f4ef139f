"use client";

import { useRouter } from "next/navigation";
import { Moment } from "@/components/shared/moment";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { ListPart } from "@/components/ui/page-part";
import { State } from "@/components/ui/state";
import { type Column, Table } from "@/components/ui/table";
import { pickNewer, useFresh } from "@/components/ui/use-fresh";
import type { ImportsData } from "@/features/imports/data";
import { DropZone } from "@/features/imports/drop-zone";
import { beginUpload } from "@/features/imports/uploads";
import { describeState, nameRun } from "@/features/imports/words";
import type { ListedRun } from "@/lib/history/import/import-runs";
import { formatBytes, formatCount } from "@/lib/text/text";
import { SECOND_MS } from "@/lib/time/units";

const REFRESH_MS = 3 * SECOND_MS;

/** Where files are dropped, and every import so far. */
export function ImportsView({ initial }: { initial: ImportsData }) {
  const router = useRouter();
  const fresh = useFresh<ImportsData>("/operator/import/data", REFRESH_MS, initial);
  const { nowMs, runs } = pickNewer(fresh.data, initial);
  return (
    <>
      <div className="grid gap-3 px-4 pt-1 pb-6 max-md:px-3">
        <DropZone
          title="Drop files or folders of prices here"
          onFiles={async (files) => router.push(`/operator/import/${await beginUpload(files)}`)}
        />
        <p className="text-xs13 text-dim">
          HistData, Dukascopy, TrueFX, Lean, MetaTrader and other csv, also zipped, and Parquet: ticks, or bars of up to
          an hour. Nothing is stored before you have seen what is in the files.{" "}
          <Link href="/docs/importing-history" className="underline underline-offset-[3px] hover:text-ink">
            Formats and options
          </Link>
        </p>
      </div>
      {fresh.isOffline && (
        <div className="px-4 pb-3">
          <Notice tone="error">The server is not responding. This list may be out of date.</Notice>
        </div>
      )}
      <ListPart titleId="imports-title" title="Imports">
        {runs.length === 0 ? (
          <EmptyState art="file" title="Nothing was imported yet">
            Drop a file of prices above. Imports of the command line appear here too.
          </EmptyState>
        ) : (
          <Table
            caption="Imports"
            look="cards"
            columns={listColumns(nowMs)}
            rows={runs}
            getKey={({ id }) => id}
            rowProps={({ state }) => ({ className: state === "undone" ? "text-dim" : undefined })}
          />
        )}
      </ListPart>
    </>
  );
}

function listColumns(nowMs: number): readonly Column<ListedRun>[] {
  return [
    {
      heading: "Files",
      cell: (run) => (
        <Link
          href={`/operator/import/${run.id}`}
          className="underline decoration-edge underline-offset-[3px] [overflow-wrap:anywhere] hover:decoration-current"
        >
          {nameRun(run)}
        </Link>
      ),
    },
    {
      heading: "State",
      cell: (run) => {
        const { look, text } = describeState(run);
        return <State look={look}>{text}</State>;
      },
    },
    { heading: "Begun", cell: ({ begunAtMs }) => <Moment atMs={begunAtMs} nowMs={nowMs} /> },
    {
      heading: "By",
      cell: ({ byCommand, account }) => (
        <span className="[overflow-wrap:anywhere]">
          {byCommand ? "command line" : (account ?? "a removed account")}
        </span>
      ),
    },
    { heading: "Size", isNumeric: true, cell: ({ bytes }) => formatBytes(bytes) },
    {
      heading: "Rows",
      isNumeric: true,
      tip: "Rows that are accepted",
      cell: ({ summary }) => (summary === null ? "–" : formatCount(summary.accepted)),
    },
    {
      heading: "New",
      isNumeric: true,
      tip: "Rows that were new in the database",
      cell: ({ summary, isImported, state }) =>
        summary === null || !isImported || state === "undone" ? "–" : formatCount(summary.added),
    },
  ];
}
