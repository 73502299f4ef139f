import { CallBars } from "@/components/shared/call-bars";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import type { UsageReport } from "@/lib/access/usage/usage-report";
import { formatCount } from "@/lib/text/text";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

interface KeyUsageProps {
  keyId: string;
  /** Hour by hour, and day by day. */
  day: UsageReport;
  month: UsageReport;
}

/** The calls of a key over the last day and the last 30 days. */
export function KeyUsage({ keyId, day, month }: KeyUsageProps) {
  return (
    <ListPart titleId="usage-title" title="Usage">
      <div className="mx-4 grid gap-x-10 gap-y-5 max-md:mx-3 md:grid-cols-2">
        <Period title="Last 24 hours" report={day} />
        <Period title="Last 30 days" report={month} />
      </div>
      <p className="mx-4 mt-3 flex flex-wrap gap-x-4 text-xs12 text-faint max-md:mx-3">
        <span>
          <Swatch className="bg-note" /> answered <Swatch className="ml-3 bg-warn" /> refused, over a limit or failed
        </span>
        <span>Hours and days are UTC; the last one is not complete.</span>
        <Link href={`/usage?key=${keyId}&period=30d`} className="text-accent-ink underline underline-offset-4">
          Usage of this key
        </Link>
      </p>
    </ListPart>
  );
}

function Swatch({ className }: { className: string }) {
  return <span aria-hidden className={`mr-1 inline-block size-2 rounded-[1px] ${className}`} />;
}

function Period({ title, report: { steps, stepMs, total } }: { title: string; report: UsageReport }) {
  const bars = steps.map(({ startMs, answered, refused, limited, failed }) => ({
    name: nameStep(startMs, stepMs),
    answered,
    refused: refused + limited + failed,
  }));
  const refused = total.refused + total.limited + total.failed;
  const [first, last] = [steps[0]?.startMs ?? 0, steps.at(-1)?.startMs ?? 0];
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 flex flex-wrap items-baseline gap-x-3 text-xs13">
        <span className="mr-auto text-dim">{title}</span>
        <span>
          <b className="font-mono font-medium tabular-nums">{formatCount(total.answered)}</b> answered
        </span>
        <span className={refused > 0 ? "text-warn" : "text-dim"}>
          <b className="font-mono font-medium tabular-nums">{formatCount(refused)}</b> refused
        </span>
      </figcaption>
      <CallBars label={title} bars={bars} className="h-20 w-full" />
      <Figure as="p" className="flex justify-between text-xs11 text-faint">
        <span>{nameStep(first, stepMs)}</span>
        <span>{nameStep(last, stepMs)}</span>
      </Figure>
    </figure>
  );
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

function nameStep(startMs: number, stepMs: number): string {
  if (stepMs === DAY_MS) return dayMonth.format(startMs);
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return `${dayMonth.format(startMs)}, ${clock(startMs)}–${clock(startMs + HOUR_MS)}`;
}
