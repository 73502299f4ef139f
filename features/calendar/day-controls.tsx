import { Button } from "@/components/ui/button";
import { StepButton } from "@/components/ui/step-button";
import { findStepDate, formatDays, getDays, hasToday, STEPS, toDate } from "@/features/calendar/days";
import type { CalendarChoice } from "@/features/calendar/url";

interface DayControlsProps {
  choice: CalendarChoice;
  /** Midnight UTC of today's date in the chosen zone. */
  todayMs: number;
  onChoose: (next: Partial<CalendarChoice>) => void;
}

/** The shown days, and the way to others: the days before and after, today, or any date. */
export function DayControls({ choice, todayMs, onChoose }: DayControlsProps) {
  const unit = STEPS[choice.range];
  const step = (by: -1 | 1) => onChoose({ date: findStepDate(choice, todayMs, by) });
  const show = (date: string) => onChoose({ date: hasToday({ ...choice, date }, todayMs) ? null : date });
  return (
    <div className="flex flex-wrap items-center gap-1 max-md:order-3 max-md:basis-full">
      <StepButton step={-1} label={`Previous ${unit}`} onClick={() => step(-1)} />
      <Button size="sm" disabled={choice.date === null} onClick={() => onChoose({ date: null })}>
        Today
      </Button>
      <StepButton step={1} label={`Next ${unit}`} onClick={() => step(1)} />
      <input
        type="date"
        aria-label="Date"
        value={choice.date ?? toDate(todayMs)}
        // A date that is being typed is incomplete, and then empty.
        onChange={({ target }) => target.value !== "" && show(target.value)}
        className="h-8 rounded-md border border-edge bg-raised px-2 font-mono text-xs13 text-ink"
      />
      <h2 aria-live="polite" className="ml-2 text-xs13 font-medium whitespace-nowrap">
        {formatDays(choice.range, getDays(choice, todayMs))}
      </h2>
    </div>
  );
}
