"use client";

import { type ReactNode, useSyncExternalStore } from "react";
import { SearchBox } from "@/components/ui/search-box";
import { StepButton } from "@/components/ui/step-button";
import { ChoiceTabs } from "@/components/ui/tabs";
import { CALENDAR_TOOLBAR_CLASS } from "@/features/calendar/classes";
import { findStepDate, formatDays, getDays, STEPS } from "@/features/calendar/days";
import { ImpactMark } from "@/features/calendar/impact-mark";
import { type CalendarChoice, type CalendarRange, CURRENCIES, RANGES } from "@/features/calendar/url";
import { IMPACTS } from "@/lib/calendar/event";

const RANGE_LABELS: Readonly<Record<CalendarRange, string>> = {
  near: "Up next",
  today: "Today",
  week: "This week",
  month: "This month",
};

interface CalendarToolbarProps {
  choice: CalendarChoice;
  /** Midnight UTC of today's date in the chosen zone. */
  todayMs: number;
  onChoose: (next: Partial<CalendarChoice>) => void;
  /** Shown at the end of the toolbar. */
  children: ReactNode;
}

function toggle<Word>(words: readonly Word[], word: Word): Word[] {
  return words.includes(word) ? words.filter((each) => each !== word) : [...words, word];
}

/** Two lines: the days, the search and the zone; the impacts and the currencies. */
export function CalendarToolbar({ choice, todayMs, onChoose, children }: CalendarToolbarProps) {
  return (
    <div className={CALENDAR_TOOLBAR_CLASS}>
      <ChoiceTabs
        label="Days"
        name="range"
        choices={RANGES}
        // Other days than the present ones are named beside the steps.
        chosen={choice.date === null ? choice.range : []}
        phoneClassName="max-md:order-3 max-md:-mx-3 max-md:max-w-full max-md:flex-[1_0_100%] max-md:px-3"
        onChoose={(range) => onChoose({ range, date: null })}
        format={(range) => RANGE_LABELS[range]}
      />
      <DaySteps choice={choice} todayMs={todayMs} onChoose={onChoose} />
      <SearchBox
        type="search"
        label="Search events"
        maxLength={100}
        value={choice.search}
        onChange={(event) => onChoose({ search: event.target.value })}
        boxClassName="ml-auto w-48 max-md:ml-0 max-md:w-auto max-md:min-w-36 max-md:flex-1"
      />
      <ZoneSelect zone={choice.zone} onChange={(zone) => onChoose({ zone })} />
      {children}
      <span aria-hidden className="basis-full max-md:hidden" />
      <ChoiceTabs
        label="Impact"
        name="impact"
        choices={IMPACTS}
        chosen={choice.impacts}
        // On a phone the subscribe button is beside the impacts, and the currencies are below.
        phoneClassName="max-md:order-3 max-md:-ml-3 max-md:max-w-full max-md:flex-[0_1_auto] max-md:pl-3"
        onChoose={(impact) => onChoose({ impacts: toggle(choice.impacts, impact) })}
        format={(impact) => <ImpactMark impact={impact} withWord />}
      />
      <ChoiceTabs
        label="Currencies"
        name="currencies"
        choices={CURRENCIES as readonly string[]}
        chosen={choice.currencies}
        phoneClassName="max-md:order-4 max-md:-mx-3 max-md:max-w-full max-md:flex-[1_0_100%] max-md:px-3"
        onChoose={(currency) => onChoose({ currencies: toggle(choice.currencies, currency) })}
        format={(currency) => <span className="numerals">{currency}</span>}
      />
    </div>
  );
}

/** The shown days, and the buttons to those before and after. */
function DaySteps({ choice, todayMs, onChoose }: Omit<CalendarToolbarProps, "children">) {
  const unit = STEPS[choice.range];
  const step = (by: -1 | 1) => onChoose({ date: findStepDate(choice, todayMs, by) });
  return (
    <div className="flex items-center gap-1 max-md:order-3 max-md:basis-full">
      {unit !== null && (
        <>
          <StepButton step={-1} label={`Previous ${unit}`} onClick={() => step(-1)} />
          <StepButton step={1} label={`Next ${unit}`} onClick={() => step(1)} />
        </>
      )}
      <h2 aria-live="polite" className="text-xs13 font-medium whitespace-nowrap">
        {formatDays(choice.range, getDays(choice, todayMs))}
      </h2>
    </div>
  );
}

const subscribeToNothing = () => () => {};

function ZoneSelect({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  // The visitor's zone is known only in the browser.
  const own = useSyncExternalStore(
    subscribeToNothing,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
  const others = useSyncExternalStore(subscribeToNothing, listZones, () => NO_ZONES);
  const named = [...new Set(["UTC", own, zone])];
  return (
    <label className="inline-flex items-center gap-2 text-xs12 text-faint">
      <span className="max-md:sr-only">Times in</span>
      <select
        value={zone}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 max-w-48 rounded-md border border-edge bg-raised px-2 text-xs13 text-ink max-md:max-w-36"
      >
        {named.map((each) => (
          <option key={each} value={each}>
            {each === own && each !== "UTC" ? `My time (${each})` : each}
          </option>
        ))}
        <optgroup label="All zones">
          {others
            .filter((each) => !named.includes(each))
            .map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
        </optgroup>
      </select>
    </label>
  );
}

const NO_ZONES: readonly string[] = [];
let zones: readonly string[] | undefined;

function listZones(): readonly string[] {
  return (zones ??= Intl.supportedValuesOf("timeZone"));
}
