import { computeCountTicks } from "@/features/usage/count-ticks";
import { formatStep, formatWholeStep, OUTCOMES, OutcomeSwatch } from "@/features/usage/usage-text";
import type { UsageReport } from "@/lib/access/usage/usage-report";
import { formatCompactCount, formatCount } from "@/lib/text/text";

type Step = UsageReport["steps"][number];

interface UsageChartProps {
  label: string;
  stepMs: number;
  steps: readonly Step[];
}

/** At most so many times are written below the bars. */
const MOST_TIMES = 12;

const sumOutcomes = (step: Step) => OUTCOMES.reduce((total, { key }) => total + step[key], 0);

/** The calls of each hour or day, stacked by outcome. The figures are in the table below it. */
export function UsageChart({ label, stepMs, steps }: UsageChartProps) {
  const ticks = computeCountTicks(Math.max(0, ...steps.map(sumOutcomes)));
  const top = ticks.at(-1) ?? 1;
  const every = Math.ceil(steps.length / MOST_TIMES);
  return (
    <div role="img" aria-label={label} className="h-60 pt-2 pr-12 pb-5 pl-3 font-mono text-2xs text-faint">
      <div className="relative h-full border-b border-line">
        {ticks.slice(1).map((tick) => (
          <div
            key={tick}
            className="absolute inset-x-0 border-t border-line"
            style={{ bottom: `${(tick / top) * 100}%` }}
          >
            <span className="absolute -top-2 left-full pl-2 tabular-nums">{formatCompactCount(tick)}</span>
          </div>
        ))}
        <div className="absolute inset-0 flex">
          {steps.map((step, at) => (
            <div
              key={step.startMs}
              className="group relative flex min-w-0 flex-1 flex-col items-center justify-end hover:bg-hover"
            >
              {OUTCOMES.toReversed().map(({ key, color }) => (
                <div
                  key={key}
                  className="w-[82%]"
                  data-bar={step[key] > 0 ? key : undefined}
                  style={{ height: `${(step[key] / top) * 100}%`, background: color }}
                />
              ))}
              {at % every === 0 && (
                <span className="absolute top-full left-1/2 -translate-x-1/2 pt-1 whitespace-nowrap">
                  {formatStep(step.startMs, stepMs)}
                </span>
              )}
              <Reading step={step} stepMs={stepMs} isLeft={at < steps.length / 2} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The figures of a bar, beside it while the pointer is over it. */
function Reading({ step, stepMs, isLeft }: { step: Step; stepMs: number; isLeft: boolean }) {
  return (
    <div
      className={`pointer-events-none absolute top-2 z-10 hidden rounded-md border border-line bg-raised px-2.5 py-1.5 font-sans text-xs12 whitespace-nowrap text-ink shadow-float group-hover:block ${isLeft ? "left-full ml-1" : "right-full mr-1"}`}
    >
      <p className="text-dim">{formatWholeStep(step.startMs, stepMs)}</p>
      {OUTCOMES.map(({ key, label: outcome }) => (
        <p key={key}>
          <OutcomeSwatch outcome={key} />
          {outcome} <b>{formatCount(step[key])}</b>
        </p>
      ))}
      <p>
        Credits <b>{formatCount(step.credits)}</b>
      </p>
    </div>
  );
}
