import {
  DEFAULT_LINKS,
  type LinkColour,
  type Panel,
  type PanelKind,
  type PanelSettings,
  type ScreenContent,
} from "@/lib/access/screens/screen";
import type { Timeframe } from "@/lib/market/timeframe";

/** The cookie with the id of the screen that was shown last. */
export const LAST_COOKIE = "spotline-screen";

/** Screens to begin with. */
export interface ReadyScreen {
  readonly slug: string;
  readonly name: string;
  readonly text: string;
  readonly content: ScreenContent;
}

type Box = readonly [x: number, y: number, w: number, h: number];

function place<Kind extends PanelKind>(
  id: string,
  kind: Kind,
  [x, y, w, h]: Box,
  settings: PanelSettings[Kind],
  colour: LinkColour | null = null,
): Panel {
  return { id, kind, colour, x, y, w, h, settings } as unknown as Panel;
}

function chart(
  id: string,
  box: Box,
  symbol: string,
  timeframe: Timeframe,
  more: Partial<PanelSettings["chart"]> & { colour?: LinkColour | null } = {},
) {
  const { colour = "amber", indicators = [], layers = ["volume", "events"] } = more;
  return place(id, "chart", box, { symbol, timeframe, indicators, layers }, colour);
}

const toContent = (panels: readonly Panel[]): ScreenContent => ({ panels, links: DEFAULT_LINKS });

export const READY_SCREENS: readonly ReadyScreen[] = [
  {
    slug: "scalper",
    name: "Scalper",
    text: "One symbol on two short charts, its spread, and the board to change it",
    content: toContent([
      chart("m1", [0, 0, 14, 14], "EURUSD", "M1", { indicators: ["EMA_20"], layers: ["volume", "quotes"] }),
      chart("m5", [0, 14, 14, 10], "EURUSD", "M5", { layers: ["volume", "sessions", "events"] }),
      place("list", "list", [19, 0, 5, 24], { list: null, category: "forex" }, "amber"),
      place("spread", "spread", [14, 0, 5, 9], { symbol: "EURUSD", period: "1h" }, "amber"),
      place("sessions", "sessions", [14, 9, 5, 9], {}),
      place("alerts", "alerts", [14, 18, 5, 6], {}, "amber"),
    ]),
  },
  {
    slug: "swing",
    name: "Swing",
    text: "One symbol from the day down to the hour, the strength of currencies, and the week’s events",
    content: toContent([
      chart("d1", [0, 0, 11, 24], "EURUSD", "D1", { indicators: ["SMA_50", "SMA_200"] }),
      chart("h4", [11, 0, 7, 12], "EURUSD", "H4", { indicators: ["EMA_50"] }),
      chart("h1", [11, 12, 7, 12], "EURUSD", "H1"),
      place("strength", "strength", [18, 0, 6, 9], { timeframe: "D1" }, "amber"),
      place("calendar", "calendar", [18, 9, 6, 15], { currencies: [], impacts: ["high", "medium"] }, "amber"),
    ]),
  },
  {
    slug: "event-day",
    name: "Event day",
    text: "The releases of the day beside four symbols that move with them",
    content: toContent([
      place("calendar", "calendar", [0, 0, 7, 18], { currencies: [], impacts: ["high", "medium"] }),
      place("clock", "clock", [0, 18, 7, 6], { zones: ["America/New_York", "Europe/London", "Asia/Tokyo"] }),
      chart("eurusd", [7, 0, 9, 12], "EURUSD", "M1", { colour: null, layers: ["events"] }),
      chart("usdjpy", [16, 0, 8, 12], "USDJPY", "M1", { colour: null, layers: ["events"] }),
      chart("gbpusd", [7, 12, 9, 12], "GBPUSD", "M1", { colour: null, layers: ["events"] }),
      chart("xauusd", [16, 12, 8, 12], "XAUUSD", "M1", { colour: null, layers: ["events"] }),
    ]),
  },
  {
    slug: "four-charts",
    name: "Four charts",
    text: "Four symbols side by side",
    content: toContent([
      chart("eurusd", [0, 0, 12, 12], "EURUSD", "M15", { colour: null }),
      chart("gbpusd", [12, 0, 12, 12], "GBPUSD", "M15", { colour: null }),
      chart("usdjpy", [0, 12, 12, 12], "USDJPY", "M15", { colour: null }),
      chart("xauusd", [12, 12, 12, 12], "XAUUSD", "M15", { colour: null }),
    ]),
  },
];

/** The settings of a new panel. `symbol` is that of the panels beside it. */
export function createSettings(kind: PanelKind, symbol: string): PanelSettings[PanelKind] {
  const all: { readonly [Kind in PanelKind]: PanelSettings[Kind] } = {
    chart: { symbol, timeframe: "H1", indicators: [], layers: ["volume", "events"] },
    list: { list: null, category: null },
    calendar: { currencies: [], impacts: [] },
    strength: { timeframe: "H1" },
    sessions: {},
    spread: { symbol, period: "24h" },
    alerts: {},
    clock: { zones: ["Europe/London", "America/New_York", "Asia/Tokyo"] },
  };
  return all[kind];
}
