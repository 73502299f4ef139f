"use client";

import { Button } from "@/components/ui/button";
import { Figure } from "@/components/ui/figure";
import { SearchBox } from "@/components/ui/search-box";
import { StepButton } from "@/components/ui/step-button";
import { ChoiceTabs } from "@/components/ui/tabs";
import { CALENDAR_TOOLBAR_CLASS } from "@/features/calendar/calendar-table";
import { findStepDate, formatDays, getDays, hasToday, STEPS, toDate } from "@/features/calendar/days";
import { ImpactMark } from "@/features/calendar/impact-mark";
import { type CalendarChoice, type CalendarRange, CURRENCIES, RANGES } from "@/features/calendar/url";
import { EVENT_KINDS, type EventKind, IMPACTS } from "@/lib/calendar/event";

const RANGE_LABELS: Readonly<Record<CalendarRange, string>> = {
  near: "Up next",
  today: "Day",
  week: "Week",
  month: "Month",
};
const KIND_LABELS: Readonly<Record<EventKind, string>> = {
  figure: "Figures",
  statement: "Statements",
  auction: "Auctions",
  holiday: "Holidays",
};
/** On a phone a row of choices has a line of its own, up to the edges of the screen. */
const PHONE_ROW_CLASS = "max-md:-mx-3 max-md:max-w-full max-md:flex-[1_0_100%] max-md:px-3";

interface CalendarToolbarProps {
  choice: CalendarChoice;
  /** Midnight UTC of today's date in the chosen zone. */
  todayMs: number;
  onChoose: (next: Partial<CalendarChoice>) => void;
}

function toggle<Word>(words: readonly Word[], word: Word): Word[] {
  return words.includes(word) ? words.filter((each) => each !== word) : [...words, word];
}

/** Two lines: the days and the search; the impacts, the kinds and the currencies. */
export function CalendarToolbar({ choice, todayMs, onChoose }: CalendarToolbarProps) {
  return (
    <div className={CALENDAR_TOOLBAR_CLASS}>
      <ChoiceTabs
        label="Days"
        name="range"
        choices={RANGES}
        chosen={choice.range}
        phoneClassName={`max-md:order-3 ${PHONE_ROW_CLASS}`}
        onChoose={(range) => onChoose({ range })}
        format={(range) => RANGE_LABELS[range]}
      />
      <DayControls choice={choice} todayMs={todayMs} onChoose={onChoose} />
      <SearchBox
        type="search"
        label="Search events"
        maxLength={100}
        value={choice.search}
        onChange={(event) => onChoose({ search: event.target.value })}
        boxClassName="ml-auto w-48 max-md:ml-0 max-md:w-auto max-md:min-w-36 max-md:flex-1"
      />
      <span aria-hidden className="basis-full max-md:hidden" />
      {/* On a phone both are one line that scrolls. */}
      <div className="contents max-md:order-4 max-md:-mx-3 max-md:flex max-md:basis-[calc(100%+1.5rem)] max-md:overflow-x-auto max-md:px-3">
        <ChoiceTabs
          label="Impact"
          name="impact"
          choices={IMPACTS}
          chosen={choice.impacts}
          phoneClassName="max-md:flex-none"
          onChoose={(impact) => onChoose({ impacts: toggle(choice.impacts, impact) })}
          format={(impact) => <ImpactMark impact={impact} withWord />}
        />
        <ChoiceTabs
          label="Kinds"
          name="kind"
          choices={EVENT_KINDS}
          chosen={choice.kinds}
          phoneClassName="max-md:flex-none"
          onChoose={(kind) => onChoose({ kinds: toggle(choice.kinds, kind) })}
          format={(kind) => KIND_LABELS[kind]}
        />
      </div>
      <ChoiceTabs
        label="Currencies"
        name="currencies"
        choices={CURRENCIES as readonly string[]}
        chosen={choice.currencies}
        phoneClassName={`max-md:order-4 ${PHONE_ROW_CLASS}`}
        onChoose={(currency) => onChoose({ currencies: toggle(choice.currencies, currency) })}
        format={(currency) => <Figure>{currency}</Figure>}
      />
    </div>
  );
}

interface DayControlsProps {
  choice: CalendarChoice;
  /** Midnight UTC of today's date in the chosen zone. */
  todayMs: number;
  onChoose: (next: Partial<CalendarChoice>) => void;
}

/** The shown days, and the way to others: the days before and after, today, or any date. */
function DayControls({ choice, todayMs, onChoose }: DayControlsProps) {
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
