import { NO_LIMIT } from "@/lib/access/plans";

interface MeterProps {
  /** The accessible name. */
  label: string;
  used: number;
  limit: number;
  /** Whether it is used up or about to be. */
  isTight: boolean;
  className?: string;
}

/** How much of a limit is used. Renders nothing where there is no limit. */
export function Meter({ label, used, limit, isTight, className = "mt-1 mb-2" }: MeterProps) {
  if (limit === NO_LIMIT) return null;
  const share = Math.min(1, used / Math.max(1, limit));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      className={`h-1.5 overflow-hidden rounded-sm bg-line ${className}`}
    >
      <span
        className={`block h-full ${used > 0 ? "min-w-0.5" : ""} ${isTight ? "bg-warn" : "bg-note"}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
