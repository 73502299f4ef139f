"use client";

import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { timeAxis, valueAxis } from "@/components/ui/chart-axes";
import { formatStep, formatWholeStep, OUTCOMES, OutcomeSwatch } from "@/features/usage/usage-text";
import type { UsageReport } from "@/lib/access/usage/usage-report";
import { formatCompactCount, formatCount } from "@/lib/text/number";

type Step = UsageReport["steps"][number];

interface UsageChartProps {
  label: string;
  stepMs: number;
  steps: readonly Step[];
}

/** The calls of each hour or day, stacked by outcome. The figures are in the table below it. */
export function UsageChart({ label, stepMs, steps }: UsageChartProps) {
  return (
    <div role="img" aria-label={label} className="h-60">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={[...steps]}
          accessibilityLayer={false}
          barCategoryGap="18%"
          margin={{ top: 8, right: 0, bottom: 0, left: 12 }}
        >
          <XAxis
            dataKey="startMs"
            tickFormatter={(ms: number) => formatStep(ms, stepMs)}
            interval="equidistantPreserveStart"
            minTickGap={16}
            {...timeAxis}
          />
          <YAxis
            allowDecimals={false}
            domain={[0, "auto"]}
            tickFormatter={formatCompactCount}
            {...valueAxis}
            width={48}
          />
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--hover)" }}
            content={(props) => <Reading {...props} steps={steps} stepMs={stepMs} />}
          />
          {OUTCOMES.map(({ key, color }) => (
            <Bar key={key} dataKey={key} stackId="calls" fill={color} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

type ReadingProps = TooltipContentProps & Omit<UsageChartProps, "label">;

function Reading({ active, label, steps, stepMs }: ReadingProps) {
  const step = steps.find(({ startMs }) => startMs === Number(label));
  if (!active || step === undefined) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs12 shadow-float">
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
