import { Check, CircleDashed, type LucideIcon, Minus, TriangleAlert, X } from "lucide-react";
import type { Condition } from "@/lib/history/quality/quality-days";

const MARKS: Readonly<Record<Condition, { Icon: LucideIcon; colour: string }>> = {
  complete: { Icon: Check, colour: "text-up" },
  degraded: { Icon: TriangleAlert, colour: "text-warn" },
  missing: { Icon: X, colour: "text-down" },
  pending: { Icon: CircleDashed, colour: "text-faint" },
  closed: { Icon: Minus, colour: "text-faint" },
};

/** The icon of a condition, for people who cannot tell its colour from others. */
export function ConditionIcon({ condition }: { condition: Condition }) {
  const { Icon, colour } = MARKS[condition];
  return <Icon aria-hidden size={13} className={`inline-block flex-none ${colour}`} />;
}

/** The icon and the word of a condition. */
export function ConditionMark({ condition }: { condition: Condition }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <ConditionIcon condition={condition} />
      {condition}
    </span>
  );
}

/** "99.87 %", rounded down, so that 100 means all; a dash of nothing. */
export function formatShare(part: number, all: number): string {
  return all === 0 ? "–" : `${(Math.floor((10_000 * part) / all) / 100).toFixed(2)} %`;
}
