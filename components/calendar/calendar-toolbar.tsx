"use client";

import { Search } from "lucide-react";
import { useSyncExternalStore } from "react";
import { CURRENCIES, RANGES, type CalendarChoice, type CalendarRange } from "@/components/calendar/calendar-choice";
import { ImpactMark } from "@/components/calendar/impact-mark";
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
}

function toggled<Word>(words: readonly Word[], word: Word): Word[] {
  return words.includes(word) ? words.filter((each) => each !== word) : [...words, word];
}

export function CalendarToolbar({ choice, onChoose }: CalendarToolbarProps) {
  return (
    <div className="calendar-toolbar">
      <div role="group" aria-label="Days" className="board-tabs">
        {RANGES.map((range) => (
          <button
            key={range}
            type="button"
            aria-pressed={choice.range === range}
            onClick={() => onChoose({ range })}
            className="board-tab"
          >
            {rangeLabels[range]}
          </button>
        ))}
      </div>
      <div role="group" aria-label="Impact" className="board-tabs">
        {IMPACTS.map((impact) => (
          <button
            key={impact}
            type="button"
            aria-pressed={choice.impacts.includes(impact)}
            onClick={() => onChoose({ impacts: toggled(choice.impacts, impact) })}
            className="board-tab calendar-impact-tab"
          >
            <ImpactMark impact={impact} withWord />
          </button>
        ))}
      </div>
      <div role="group" aria-label="Currencies" className="board-tabs">
        {CURRENCIES.map((currency) => (
          <button
            key={currency}
            type="button"
            aria-pressed={choice.currencies.includes(currency)}
            onClick={() => onChoose({ currencies: toggled(choice.currencies, currency) })}
            className="board-tab numerals"
          >
            {currency}
          </button>
        ))}
      </div>
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
