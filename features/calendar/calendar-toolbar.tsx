"use client";

import { Search } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { ChoiceTabs } from "@/components/ui/choice-tabs";
import { ImpactMark } from "@/features/calendar/impact-mark";
import { type CalendarChoice, type CalendarRange, CURRENCIES, RANGES } from "@/features/calendar/url";
import { IMPACTS } from "@/lib/calendar/event";

const rangeLabels: Readonly<Record<CalendarRange, string>> = {
  near: "Up next",
  today: "Today",
  week: "This week",
  next: "Two weeks ahead",
  month: "Month",
};

interface CalendarToolbarProps {
  choice: CalendarChoice;
  onChoose: (next: Partial<CalendarChoice>) => void;
  /** What else belongs at its end. */
  children: ReactNode;
}

function toggled<Word>(words: readonly Word[], word: Word): Word[] {
  return words.includes(word) ? words.filter((each) => each !== word) : [...words, word];
}

export function CalendarToolbar({ choice, onChoose, children }: CalendarToolbarProps) {
  return (
    <div className="calendar-toolbar">
      <ChoiceTabs
        label="Days"
        name="range"
        choices={RANGES}
        chosen={choice.range}
        onChoose={(range) => onChoose({ range })}
        textOf={(range) => rangeLabels[range]}
      />
      <ChoiceTabs
        label="Impact"
        name="impact"
        choices={IMPACTS}
        chosen={choice.impacts}
        onChoose={(impact) => onChoose({ impacts: toggled(choice.impacts, impact) })}
        textOf={(impact) => <ImpactMark impact={impact} withWord />}
      />
      <ChoiceTabs
        label="Currencies"
        name="currencies"
        choices={CURRENCIES as readonly string[]}
        chosen={choice.currencies}
        onChoose={(currency) => onChoose({ currencies: toggled(choice.currencies, currency) })}
        textOf={(currency) => <span className="numerals">{currency}</span>}
      />
      <div className="search-box calendar-search" role="search">
        <Search aria-hidden size={15} strokeWidth={1.75} className="search-icon" />
        <input
          type="search"
          aria-label="Search events"
          placeholder="Search events"
          autoComplete="off"
          maxLength={100}
          value={choice.search}
          onChange={(event) => onChoose({ search: event.target.value })}
          className="search-input"
        />
      </div>
      <ZoneSelect zone={choice.zone} onChange={(zone) => onChoose({ zone })} />
      {children}
    </div>
  );
}

const unchanging = () => () => {};

function ZoneSelect({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  // The server cannot know where the reader is.
  const own = useSyncExternalStore(
    unchanging,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
  const others = useSyncExternalStore(unchanging, allZones, () => noZones);
  const named = [...new Set(["UTC", own, zone])];
  return (
    <label className="calendar-zone">
      <span>Times in</span>
      <select value={zone} onChange={(event) => onChange(event.target.value)}>
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

const noZones: readonly string[] = [];
let zones: readonly string[] | undefined;

function allZones(): readonly string[] {
  return (zones ??= Intl.supportedValuesOf("timeZone"));
}
