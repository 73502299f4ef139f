import { Link } from "@/components/ui/link";
import type { LimitsNow } from "@/features/alerts/types";
import { formatCount } from "@/lib/text/text";

/** How many alerts of the plan are active, and the plan with more once all are. */
export function LimitLine({ limits: { plan, active, maxActive, larger } }: { limits: LimitsNow }) {
  return (
    <p className="text-xs13 text-dim">
      <span className="tabular-nums">
        <b className="font-medium text-ink">{formatCount(active)}</b> of {formatCount(maxActive)}
      </span>{" "}
      active alerts of the {plan} plan
      {active >= maxActive && larger !== null && (
        <span className="text-warn">
          . {larger.plan} has {formatCount(larger.maxActive)}.{" "}
          <Link href="/plan" className="text-accent-ink underline underline-offset-4">
            Compare plans
          </Link>
        </span>
      )}
    </p>
  );
}
