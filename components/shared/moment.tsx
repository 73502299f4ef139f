import { formatRelativeTime } from "@/lib/time/duration";

/** A time relative to now, with the exact time as its tooltip. Both in UTC milliseconds. */
export function Moment({ atMs, nowMs, urgent = false }: { atMs: number; nowMs: number; urgent?: boolean }) {
  const iso = new Date(atMs).toISOString();
  return (
    <time
      dateTime={iso}
      title={`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
      className={`whitespace-nowrap ${urgent ? "text-warn" : "text-dim"}`}
    >
      {formatRelativeTime(atMs, nowMs)}
    </time>
  );
}
