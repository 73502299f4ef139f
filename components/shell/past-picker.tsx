"use client";

import { usePathname, useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { isMarketPage } from "@/components/shell/pages";
import { findLatest, giveFocus, parseAt, type PastFacts, readPicked, toFields } from "@/components/shell/past-steps";
import { Button, getButtonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { toAt, withAt } from "@/components/ui/past-address";
import { formatPlansWith } from "@/lib/access/plans";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const AGO = [
  { label: "5 minutes ago", ms: 5 * MINUTE_MS },
  { label: "1 hour ago", ms: HOUR_MS },
  { label: "1 day ago", ms: DAY_MS },
  { label: "1 week ago", ms: 7 * DAY_MS },
] as const;

const FIELD_CLASS = "numerals h-9 rounded-md border border-edge bg-bg px-2.5";

interface PastPickerProps extends PastFacts {
  /** The second that is shown; null for the present. */
  at: string | null;
  onClose: () => void;
}

/** Chooses the second of the past that all pages of the market show. */
export default function PastPicker({ zone, aheadMs, isIncluded, at, onClose }: PastPickerProps) {
  const router = useRouter();
  const path = usePathname();
  const [firstMs] = useState(() => (at === null ? null : parseAt(at)) ?? Date.now() + aheadMs - HOUR_MS);
  const [error, setError] = useState<string | null>(null);
  const first = toFields(firstMs, zone);

  function show(atMs: number | null): void {
    if (atMs === null) return setError("Give a date and a time.");
    if (atMs > findLatest(Date.now() + aheadMs)) return setError("That second has not passed yet.");
    onClose();
    giveFocus();
    const here = isMarketPage(path) ? location.pathname + location.search : "/overview";
    router.push(withAt(here, toAt(atMs)));
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    show(readPicked(String(fields.get("date")), String(fields.get("time")), zone));
  }

  if (!isIncluded) {
    return (
      <Dialog open title="Go to a past second" onDismiss={onClose}>
        <p className="mt-3 text-dim">
          Every recorded second is part of these plans: {formatPlansWith("ticks")}. With them, every page of the market
          shows prices, bars and events as they were.
        </p>
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Link href="/plan" leavesSecond className={getButtonClass("primary")} onClick={onClose}>
            Plans
          </Link>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open title="Go to a past second" onDismiss={onClose}>
      <p className="mt-1 text-xs13 text-dim">
        Every page of the market then shows only what was known at that second. Nothing later is on it.
      </p>
      <form onSubmit={onSubmit} className="mt-4 grid gap-4">
        <div className="grid grid-cols-2 gap-3">
          <label className="grid gap-1 text-xs13 text-dim">
            Date
            <input name="date" type="date" required defaultValue={first.date} className={FIELD_CLASS} />
          </label>
          <label className="grid gap-1 text-xs13 text-dim">
            Time
            <input name="time" type="time" step={1} required defaultValue={first.time} className={FIELD_CLASS} />
          </label>
        </div>
        <p className="-mt-2 text-xs12 text-faint">On the clock of {zone}.</p>
        {error !== null && (
          <p role="alert" className="text-down">
            {error}
          </p>
        )}
        <div role="group" aria-label="Before now" className="flex flex-wrap gap-2">
          {AGO.map(({ label, ms }) => (
            <Button key={label} size="sm" onClick={() => show(findLatest(Date.now() + aheadMs - ms))}>
              {label}
            </Button>
          ))}
        </div>
        <div className="flex justify-end gap-2 border-t border-line pt-4">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Show this second
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
