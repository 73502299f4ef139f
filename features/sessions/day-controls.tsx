"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { Button } from "@/components/ui/button";
import { StepButton } from "@/components/ui/step-button";
import { FIRST_DAY, getShownDay, LAST_DAY, moveDay, readDay, type SessionsChoice } from "@/features/sessions/url";

interface DayControlsProps {
  choice: SessionsChoice;
  /** The shown day: "Fri 27 Nov". */
  date: string;
  onChoose: (change: Partial<SessionsChoice>) => void;
}

/** Chooses the day: the one before or after, any date, or today. */
export function DayControls({ choice, date, onChoose }: DayControlsProps) {
  const today = useMarketTime((nowMs) => getShownDay({ zone: choice.zone, day: null }, nowMs));
  const shown = choice.day ?? today;
  const before = useMarketTime((nowMs) => moveDay(choice, -1, nowMs) ?? "");
  const after = useMarketTime((nowMs) => moveDay(choice, 1, nowMs) ?? "");
  const show = (day: string) => onChoose({ day: day === "" || day === today ? null : readDay(day) });
  return (
    <div className="flex flex-wrap items-center gap-1 max-md:basis-full">
      <StepButton step={-1} label="Previous day" disabled={shown <= FIRST_DAY} onClick={() => show(before)} />
      <StepButton step={1} label="Next day" disabled={shown >= LAST_DAY} onClick={() => show(after)} />
      <h2 id="session-day" aria-live="polite" className="font-medium">
        {date}
      </h2>
      <input
        type="date"
        aria-label="Day"
        value={shown}
        min={FIRST_DAY}
        max={LAST_DAY}
        // A date that is being typed is incomplete, and then empty.
        onChange={({ target }) => target.value !== "" && show(target.value)}
        className="ml-2 h-8 rounded-md border border-edge bg-raised px-2 font-mono text-xs13 text-ink"
      />
      {(choice.day !== null || choice.at !== null) && (
        <Button look="quiet" size="sm" onClick={() => onChoose({ day: null, at: null })}>
          Back to now
        </Button>
      )}
    </div>
  );
}
