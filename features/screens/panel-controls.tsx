"use client";

import { SymbolSelect } from "@/components/shared/symbol-select";
import { usePanelBoard } from "@/features/quotes/use-panel-board";
import { toCity } from "@/features/screens/clock-panel";
import { PANEL_NAMES } from "@/features/screens/panel-names";
import type { Panel, PanelSettings } from "@/lib/access/screens/screen";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmap-timeframes";
import { type Impact, IMPACTS } from "@/lib/calendar/event";
import { SPREAD_PERIODS } from "@/lib/history/spreads/spread-period";
import { CATEGORIES, type Category } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";

type AnyChange = Partial<PanelSettings["chart"]> &
  Partial<PanelSettings["list"]> &
  Partial<Omit<PanelSettings["spread"], "symbol">> &
  Partial<PanelSettings["calendar"]> &
  Partial<PanelSettings["clock"]> &
  object;

interface ControlsProps<Kind extends Panel["kind"] = Panel["kind"]> {
  panel: Panel<Kind>;
  onChange: (change: AnyChange) => void;
}

/** The choices of a panel in its first line. */
export function PanelControls({ panel, onChange }: ControlsProps) {
  const { kind, settings } = panel;
  const name = <span className="truncate text-xs12 font-medium">{PANEL_NAMES[kind].name}</span>;
  if (kind === "chart") {
    return (
      <>
        <SymbolSelect value={settings.symbol} className="panel-symbol" onChange={(symbol) => onChange({ symbol })} />
        <Select
          label={`Timeframe of ${settings.symbol}`}
          value={settings.timeframe}
          choices={TIMEFRAMES}
          onChoose={(timeframe) => onChange({ timeframe })}
        />
      </>
    );
  }
  if (kind === "spread") {
    return (
      <>
        {name}
        <SymbolSelect value={settings.symbol} className="panel-symbol" onChange={(symbol) => onChange({ symbol })} />
        <Select
          label={`Period of the spread of ${settings.symbol}`}
          value={settings.period}
          choices={SPREAD_PERIODS}
          onChoose={(period) => onChange({ period })}
        />
      </>
    );
  }
  if (kind === "list") return <ListControl panel={panel} onChange={onChange} />;
  if (kind === "strength") {
    return (
      <>
        {name}
        <Select
          label="Timeframe of strength"
          value={settings.timeframe}
          choices={HEATMAP_TIMEFRAMES}
          onChoose={(timeframe) => onChange({ timeframe })}
        />
      </>
    );
  }
  if (kind === "calendar") {
    return (
      <>
        {name}
        <Select
          label="Impact of events"
          value={toLevel(settings.impacts)}
          choices={Object.keys(LEVELS) as Level[]}
          format={(level) => LEVELS[level].text}
          onChoose={(level) => onChange({ impacts: LEVELS[level].impacts })}
        />
      </>
    );
  }
  if (kind === "clock") return <ClockControl panel={panel} onChange={onChange} />;
  return name;
}

const LEVELS = {
  high: { text: "High", impacts: ["high"] },
  medium: { text: "High, medium", impacts: ["high", "medium"] },
  all: { text: "All", impacts: [] },
} as const satisfies Record<string, { text: string; impacts: readonly Impact[] }>;
type Level = keyof typeof LEVELS;

function toLevel(impacts: readonly Impact[]): Level {
  if (impacts.length === 0 || impacts.length === IMPACTS.length) return "all";
  return impacts.includes("medium") ? "medium" : "high";
}

/** A list of the account, or a category of all symbols, in one choice. */
function ListControl({ panel: { settings }, onChange }: ControlsProps<"list">) {
  const { data } = usePanelBoard();
  const lists = data?.lists ?? [];
  const value = settings.list === null ? `category ${settings.category ?? "all"}` : `list ${settings.list}`;
  const categories = ["all", ...CATEGORIES].map(
    (each) => [`category ${each}`, each === "all" ? "All symbols" : each] as const,
  );
  const own = lists.map(({ slug, name }) => [`list ${slug}`, name] as const);
  const texts = new Map<string, string>([...categories, ...own]);
  return (
    <Select
      label="Symbols of the list"
      value={value}
      choices={[...texts.keys(), ...(texts.has(value) ? [] : [value])]}
      format={(choice) => texts.get(choice) ?? "List"}
      onChoose={(choice) => {
        const [what, ...rest] = choice.split(" ");
        const word = rest.join(" ");
        if (what === "list") onChange({ list: word, category: null });
        else onChange({ list: null, category: word === "all" ? null : (word as Category) });
      }}
    />
  );
}

const ZONES = [
  "America/Los_Angeles",
  "America/Chicago",
  "America/New_York",
  "America/Sao_Paulo",
  "UTC",
  "Europe/London",
  "Europe/Zurich",
  "Europe/Istanbul",
  "Africa/Johannesburg",
  "Asia/Dubai",
  "Asia/Kolkata",
  "Asia/Singapore",
  "Asia/Hong_Kong",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland",
];

/** Adds a clock, or removes one. */
function ClockControl({ panel: { settings }, onChange }: ControlsProps<"clock">) {
  const { zones } = settings;
  const toggle = (zone: string) =>
    zones.includes(zone) ? zones.filter((each) => each !== zone) : [...zones, zone].slice(-8);
  return (
    <>
      <span className="truncate text-xs12 font-medium">{PANEL_NAMES.clock.name}</span>
      <Select
        label="Add or remove a clock"
        value=""
        choices={["", ...ZONES]}
        format={(zone) => (zone === "" ? "Zones" : `${zones.includes(zone) ? "✓ " : ""}${toCity(zone)}`)}
        onChoose={(zone) => zone !== "" && onChange({ zones: toggle(zone) })}
      />
    </>
  );
}

interface SelectProps<Choice extends string> {
  label: string;
  value: Choice;
  choices: readonly Choice[];
  format?: (choice: Choice) => string;
  onChoose: (choice: Choice) => void;
}

function Select<Choice extends string>({
  label,
  value,
  choices,
  format = (choice) => choice,
  onChoose,
}: SelectProps<Choice>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value as Choice)}
      className="panel-select"
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {format(choice)}
        </option>
      ))}
    </select>
  );
}
