import {
  AlarmClock,
  ArrowLeftRight,
  CalendarDays,
  ChartCandlestick,
  Clock,
  Gauge,
  Globe,
  type LucideIcon,
  Rows3,
} from "lucide-react";
import type { PanelKind } from "@/lib/access/screens/screen";

/** The kinds of panels as people see them, in the order of the menu. */
export const PANEL_NAMES: Readonly<
  Record<PanelKind, { readonly name: string; readonly text: string; readonly Icon: LucideIcon }>
> = {
  chart: { name: "Chart", text: "Bars, indicators and events of a symbol", Icon: ChartCandlestick },
  list: { name: "Quotes", text: "Live prices of a list or a category", Icon: Rows3 },
  calendar: { name: "Calendar", text: "The week’s releases", Icon: CalendarDays },
  strength: { name: "Strength", text: "Eight currencies, ranked", Icon: Gauge },
  sessions: { name: "Sessions", text: "Open and closed, and until when", Icon: Globe },
  spread: { name: "Spread", text: "Now, usually, and over a period", Icon: ArrowLeftRight },
  alerts: { name: "Alerts", text: "What waits, and what has fired", Icon: AlarmClock },
  clock: { name: "Clocks", text: "The time in several zones", Icon: Clock },
};
