import { Link } from "@/components/ui/link";
import type { RequestView } from "@/features/usage/requests/types";
import { toRequestsHref } from "@/features/usage/requests/url";
import type { RefusalCount } from "@/lib/access/requests/request-report";
import { formatCount } from "@/lib/text/text";

interface RefusalCountsProps {
  refusals: readonly RefusalCount[];
  view: RequestView;
}

/** The reasons of all refusals in the log. Each leads to its calls. */
export function RefusalCounts({ refusals, view }: RefusalCountsProps) {
  if (refusals.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pb-3 text-xs13 max-md:px-3">
      <h2 className="text-dim">Reasons of refusals</h2>
      <ul className="flex flex-wrap gap-1.5">
        {refusals.map(({ code, calls }) => {
          const isChosen = view.code === code;
          const href = toRequestsHref({ ...view, code: isChosen ? null : code, outcome: null, beforeId: null });
          return (
            <li key={code}>
              <Link
                href={href}
                scroll={false}
                aria-current={isChosen ? "true" : undefined}
                className={`inline-flex h-7 items-center gap-2 rounded-md border px-2 font-mono text-xs12 hover:border-edge max-md:h-9 ${isChosen ? "border-accent-ink text-ink" : "border-line text-dim"}`}
              >
                {code} <b className="font-medium text-ink tabular-nums">{formatCount(calls)}</b>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
