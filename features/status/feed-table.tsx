import { Link } from "@/components/ui/link";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import type { ServerStatus } from "@/lib/readers/messages";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";

type Feed = ServerStatus["feeds"][number];

/** Each source's ticks since the server started. */
export function FeedTable({ feeds, nowMs }: { feeds: readonly Feed[]; nowMs: number }) {
  const columns: Column<Feed>[] = [
    { heading: "Source", cell: ({ source }) => <b>{source}</b> },
    { heading: "Connection", cell: ({ status }) => status ?? "nothing received" },
    {
      heading: "Last tick",
      cell: ({ lastTickAtMs }) => (lastTickAtMs === null ? "never" : `${formatAge(nowMs - lastTickAtMs)} ago`),
    },
    { heading: "Accepted", cell: ({ accepted }) => formatCount(accepted) },
    { heading: "Refused", cell: ({ refused }) => formatRefused(refused) },
  ];
  return (
    <>
      <ScrollRegion label="Sources">
        <Table
          look="text"
          caption="Sources"
          isCaptionShown
          captionClassName="px-4 py-2 text-dim"
          className="w-full text-xs13 tabular-nums"
          cellClassName="border-t border-line px-4 py-2"
          headingClassName=""
          columns={columns}
          rows={feeds}
          getKey={({ source }) => source}
        />
      </ScrollRegion>
      <p className="border-t border-line px-4 py-2.5 text-xs13">
        <Link href="/operator/feeds" className="text-dim underline underline-offset-4 hover:text-ink">
          Pace, refused ticks and aliases of each source
        </Link>
      </p>
    </>
  );
}

function formatRefused(refused: Feed["refused"]): string {
  const reasons = Object.entries(refused).filter(([, count]) => count > 0);
  if (reasons.length === 0) return "none";
  return reasons.map(([reason, count]) => `${formatCount(count)} ${reason.replaceAll("_", " ")}`).join(", ");
}
