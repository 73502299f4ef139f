"use client";

import dynamic from "next/dynamic";
import { useMemo } from "react";
import { PanelLoading } from "@/components/shared/panel";
import { ClockPanel } from "@/features/screens/clock-panel";
import type { Links } from "@/features/screens/use-links";
import type { Panel } from "@/lib/access/screens/screen";

const loading = () => <PanelLoading what="panel" />;

/** Each kind loads with its first panel. */
const ChartPanel = dynamic(() => import("@/features/symbols/chart-panel").then((each) => each.ChartPanel), { loading });
const BoardPanel = dynamic(() => import("@/features/quotes/board-panel").then((each) => each.BoardPanel), { loading });
const CalendarPanel = dynamic(() => import("@/features/calendar/calendar-panel").then((each) => each.CalendarPanel), {
  loading,
});
const StrengthPanel = dynamic(() => import("@/features/strength/strength-panel").then((each) => each.StrengthPanel), {
  loading,
});
const SessionsPanel = dynamic(() => import("@/features/sessions/sessions-panel").then((each) => each.SessionsPanel), {
  loading,
});
const SpreadPanel = dynamic(() => import("@/features/spreads/spread-panel").then((each) => each.SpreadPanel), {
  loading,
});
const AlertsPanel = dynamic(() => import("@/features/alerts/alerts-panel").then((each) => each.AlertsPanel), {
  loading,
});

/** What panels know of the visitor. */
export interface PanelViewer {
  readonly hasAccount: boolean;
  readonly hasCalendar: boolean;
}

interface PanelContentProps {
  panel: Panel;
  links: Links;
  viewer: PanelViewer;
  isChoosing: boolean;
  onChosen: () => void;
}

/** What a panel shows. */
export function PanelContent({ panel, links, viewer, isChoosing, onChosen }: PanelContentProps) {
  const { colour } = panel;
  const linked = links.findSymbol(colour);
  const showSymbol = (symbol: string) => links.showSymbol(colour, symbol);
  switch (panel.kind) {
    case "chart":
      return <Chart {...{ panel, links, isChoosing, onChosen }} />;
    case "list":
      return <BoardPanel {...panel.settings} shown={linked} onSymbol={showSymbol} />;
    case "calendar":
      return (
        <CalendarPanel
          {...panel.settings}
          currencies={linked === null ? panel.settings.currencies : toCurrencies(linked)}
          isLocked={!viewer.hasCalendar}
        />
      );
    case "strength":
      return <StrengthPanel {...panel.settings} onSymbol={showSymbol} />;
    case "sessions":
      return <SessionsPanel />;
    case "spread":
      return <SpreadPanel {...panel.settings} />;
    case "alerts":
      return <AlertsPanel symbol={linked} hasAccount={viewer.hasAccount} />;
    case "clock":
      return <ClockPanel {...panel.settings} />;
  }
}

type ChartProps = Omit<PanelContentProps, "viewer" | "panel"> & { panel: Panel<"chart"> };

function Chart({ panel, links, isChoosing, onChosen }: ChartProps) {
  const { colour } = panel;
  const { createCrosshair } = links;
  const crosshair = useMemo(() => createCrosshair(colour), [createCrosshair, colour]);
  return (
    <ChartPanel
      settings={panel.settings}
      onChange={(change) => links.changePanel(panel, change)}
      crosshair={crosshair}
      isChoosing={isChoosing}
      onChosen={onChosen}
    />
  );
}

/** The two currencies of a pair; other symbols have the second only: "XAUUSD" has events of USD. */
function toCurrencies(symbol: string): string[] {
  return /^[A-Z]{6}$/.test(symbol) ? [symbol.slice(0, 3), symbol.slice(3)] : [];
}
