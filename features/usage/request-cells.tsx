import { Figure } from "@/components/ui/figure";
import { type DotLook, State } from "@/components/ui/state";
import type { LoggedRequest } from "@/lib/access/requests/request-report";
import { formatCount } from "@/lib/text/text";

function findLook(status: number): DotLook {
  if (status < 400) return "good";
  return status === 429 ? "warning" : "failed";
}

/** The status of a call, and its error code. */
export function RequestStatus({ request: { status, code } }: { request: Pick<LoggedRequest, "status" | "code"> }) {
  return (
    <State look={findLook(status)}>
      <span className="font-mono tabular-nums">{status}</span>
      {code !== null && (
        <span className="ml-2 font-mono text-xs12 max-md:in-[table]:ml-0 max-md:in-[table]:block max-md:in-[table]:text-xs11">
          {code}
        </span>
      )}
    </State>
  );
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** The time of a call to the millisecond, UTC. */
export function RequestTime({ atMs }: { atMs: number }) {
  const iso = new Date(atMs).toISOString();
  return (
    <Figure as="time" dateTime={iso} className="whitespace-nowrap">
      <span className="text-faint max-md:in-[table]:block">{dayMonth.format(atMs)} </span>
      {iso.slice(11, 19)}
      <span className="text-faint max-md:in-[table]:hidden">{iso.slice(19, 23)}</span>
    </Figure>
  );
}

/** How many calls of the same kind in the same second the row stands for as well. */
export function More({ more }: { more: number }) {
  if (more === 0) return null;
  return <span className="block text-xs12 text-dim">and {formatCount(more)} alike in this second</span>;
}

/** A duration of the server: "0.12 ms", "48 ms". */
export function formatTook(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : formatCount(ms)} ms`;
}
