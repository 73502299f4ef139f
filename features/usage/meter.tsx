import { NO_LIMIT } from "@/lib/access/plans";

interface MeterProps {
  /** What a screen reader says it is of. */
  label: string;
  used: number;
  limit: number;
  /** Whether it is used up or about to be. */
  isTight: boolean;
}

/** How much of a limit is used; nothing where there is none. */
export function Meter({ label, used, limit, isTight }: MeterProps) {
  if (limit === NO_LIMIT) return null;
  const share = Math.min(1, used / Math.max(1, limit));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      className="limit-meter"
      data-tight={isTight || undefined}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}
