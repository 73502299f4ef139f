import { getButtonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import type { QualityPageData } from "@/features/data-quality/data";
import { formatMessage } from "@/features/data-quality/message";
import { MomentChart } from "@/features/data-quality/moment-chart";
import { formatClock, formatDay } from "@/features/data-quality/url";
import { formatPlansWith } from "@/lib/access/plans";
import { toPips } from "@/lib/api/history/spread-comparison";
import type { LoggedSecond } from "@/lib/history/quality/quality-reader";
import type { Instrument } from "@/lib/market/instrument";
import { formatPrice, formatSpreadPips, getSpreadPips } from "@/lib/market/price";

interface MomentProps {
  moment: NonNullable<QualityPageData["moment"]>;
  instrument: Instrument;
  source: string;
  /** The address of this page. */
  url: string;
}

/** The prices of a source around a moment beside those of the others, and a text about them to send to its broker. */
export function MomentView({ moment, instrument, source, url }: MomentProps) {
  const { symbol } = instrument;
  if (moment === "locked") {
    return (
      <EmptyState
        title="The prices of single seconds are not part of your plan"
        action={
          <Link href="/plan" className={getButtonClass("secondary")}>
            Compare plans
          </Link>
        }
      >
        They are included in {formatPlansWith("ticks")}. Every plan includes the figures below.
      </EmptyState>
    );
  }
  const { fromMs, toMs, seconds, size, isWithinSecond } = moment;
  const names = [...new Set(seconds.flatMap(({ sources }) => sources.map((each) => each.source)))];
  const ordered = [...names].sort((one, other) => Number(other === source) - Number(one === source));
  const text = formatMessage({ instrument, source, fromMs, toMs, seconds, isWithinSecond, url });
  return (
    <section aria-labelledby="quality-moment" className="border-t border-line px-4 py-4 max-md:px-3">
      <h2 id="quality-moment" className="font-semibold">
        {symbol} of <span translate="no">{source}</span> on {formatDay(fromMs)}, {formatClock(fromMs)}–
        {formatClock(toMs)} UTC
        {size !== null && (
          <span className="ml-2.5 text-xs13 font-normal text-dim">
            {Math.abs(toPips(size, instrument))} pips {size < 0 ? "below" : "above"} every other source
          </span>
        )}
      </h2>
      {isWithinSecond && (
        <p className="mt-1 text-xs13 text-dim">
          The price that was apart lasted less than a second. These are the prices at the end of each second.
        </p>
      )}
      {names.length === 0 ? (
        <p className="mt-2 text-dim">The prices of these seconds are not recorded, or no longer retained.</p>
      ) : (
        <div className="mt-2 grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] gap-x-8 gap-y-4 max-wide:grid-cols-1">
          <div className="grid content-start gap-3">
            <MomentChart symbol={symbol} names={ordered} seconds={seconds} fromMs={fromMs} toMs={toMs} />
            <div className="grid gap-2">
              <div className="flex items-center justify-between gap-3">
                <h3 className="text-xs13 font-medium">For the broker</h3>
                <CopyButton text={text} label="Message" selectId="broker-message" />
              </div>
              <pre
                id="broker-message"
                translate="no"
                tabIndex={0}
                aria-label="Message for the broker"
                className="max-h-56 overflow-auto rounded-md border border-line bg-raised p-2.5 font-mono text-xs12 whitespace-pre-wrap"
              >
                {text}
              </pre>
            </div>
          </div>
          <ScrollRegion label="Prices second by second" className="max-h-[36rem] overflow-y-auto">
            <Table
              caption="Bid and ask at the end of each second, UTC, with the spread in pips"
              look="dense"
              isCaptionShown
              captionClassName="pb-1 text-xs12 text-faint"
              cellClassName="border-t border-line px-2 tabular-nums first:pl-0 max-md:px-1 max-md:text-xs12"
              headingClassName=""
              columns={getColumns(ordered, instrument)}
              rows={seconds}
              getKey={({ timeMs }) => timeMs}
              rowProps={({ timeMs }) => ({
                className: timeMs >= fromMs && timeMs < toMs ? "bg-hover font-semibold" : "",
              })}
            />
          </ScrollRegion>
        </div>
      )}
    </section>
  );
}

const getColumns = (names: readonly string[], { pipSize }: Instrument): readonly Column<LoggedSecond>[] => [
  { heading: "Second", isFigure: true, cell: ({ timeMs }) => formatClock(timeMs) },
  ...names.map((name): Column<LoggedSecond> => ({
    heading: name,
    isNumeric: true,
    cellClassName: "font-mono whitespace-nowrap",
    cell: ({ sources }) => {
      const found = sources.find((each) => each.source === name);
      if (found === undefined) return "–";
      const { bid, ask, digits } = found;
      const spread = formatSpreadPips(getSpreadPips(bid, ask, { pipSize, digits }));
      return `${formatPrice(bid, digits)} / ${formatPrice(ask, digits)} (${spread})`;
    },
  })),
];
