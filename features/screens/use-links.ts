"use client";

import { useCallback, useContext, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { joinWindows, type WindowLink } from "@/components/shared/live/window-link";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { changeLinked, changePanel, findLinkedSymbol, type LinkedChange } from "@/features/screens/screen-changes";
import type { ChangeContent } from "@/features/screens/use-screen";
import type { CrosshairLink } from "@/features/symbols/chart-canvas";
import { LINK_COLOURS, type LinkColour, type Panel, type ScreenContent } from "@/lib/access/screens/screen";
import { readTimeframe } from "@/lib/market/timeframe";

/** What windows tell each other about the panels of one colour. */
interface Said extends LinkedChange {
  readonly colour: LinkColour;
  readonly crosshairMs?: number | null;
}

/** Reads what another window says, which may be of another version. */
export function readSaid(said: object): Said | null {
  const { colour, symbol, timeframe, crosshairMs } = said as Record<string, unknown>;
  const known = LINK_COLOURS.find((each) => each === colour);
  if (known === undefined) return null;
  return {
    colour: known,
    symbol: typeof symbol === "string" && /^[\w.#+-]{1,32}$/.test(symbol) ? symbol : undefined,
    timeframe: (typeof timeframe === "string" ? readTimeframe(timeframe) : null) ?? undefined,
    ...(typeof crosshairMs === "number" || crosshairMs === null ? { crosshairMs } : {}),
  };
}

type Follower = (timeMs: number | null) => void;

/** The links between the panels of a screen, and with the screens of other windows of this browser. */
export function useLinks(content: ScreenContent, change: ChangeContent) {
  const owner = useContext(PageOwnerContext);
  const windows = useRef<WindowLink>(null);
  const crosshairs = useRef(new Map<LinkColour, Set<Follower>>());
  const showCrosshair = useCallback((colour: LinkColour, timeMs: number | null, except?: Follower) => {
    for (const follower of crosshairs.current.get(colour) ?? []) if (follower !== except) follower(timeMs);
  }, []);

  const hear = useEffectEvent((message: object) => {
    const said = readSaid(message);
    if (said === null) return;
    const { colour, crosshairMs, symbol, timeframe } = said;
    if (crosshairMs !== undefined && content.links.crosshair) showCrosshair(colour, crosshairMs);
    const isNew = content.panels.some((panel) => panel.colour === colour && differs(panel, said, content.links));
    if (isNew) change((before) => changeLinked(before, colour, { symbol, timeframe }));
  });
  useEffect(() => {
    const link = joinWindows(owner, hear);
    windows.current = link;
    return () => {
      windows.current = null;
      link.leave();
    };
  }, [owner]);

  const { crosshair } = content.links;
  const links = useMemo(() => {
    const create = (colour: LinkColour) => (): CrosshairLink => {
      let own: Follower | undefined;
      return {
        say(timeMs) {
          showCrosshair(colour, timeMs, own);
          windows.current?.say({ colour, crosshairMs: timeMs });
        },
        follow(listener) {
          own = listener;
          const all = crosshairs.current.get(colour) ?? new Set();
          crosshairs.current.set(colour, all.add(listener));
          return () => void all.delete(listener);
        },
      };
    };
    return new Map(LINK_COLOURS.map((colour) => [colour, create(colour)]));
  }, [showCrosshair]);

  /** Creates the link of one chart's crosshair; undefined for a chart that is not linked. */
  const createCrosshair = useCallback(
    (colour: LinkColour | null) => (colour === null || !crosshair ? undefined : links.get(colour)?.()),
    [links, crosshair],
  );

  return {
    /** Changes settings of a panel, and with them those of the panels that it is linked with. */
    changePanel(panel: Panel, settings: LinkedChange & object): void {
      change((before) => changePanel(before, panel.id, settings));
      const { symbol, timeframe } = settings;
      if (panel.colour === null || (symbol === undefined && timeframe === undefined)) return;
      windows.current?.say({ colour: panel.colour, symbol, timeframe });
    },
    /** Shows a symbol in the panels that a panel is linked with. */
    showSymbol(colour: LinkColour | null, symbol: string): void {
      if (colour === null) return;
      change((before) => changeLinked(before, colour, { symbol }));
      windows.current?.say({ colour, symbol });
    },
    findSymbol: (colour: LinkColour | null) => (content.links.symbol ? findLinkedSymbol(content, colour) : null),
    createCrosshair,
  };
}

function differs({ settings, kind }: Panel, said: Said, links: ScreenContent["links"]): boolean {
  const hasOther = links.symbol && said.symbol !== undefined && "symbol" in settings && settings.symbol !== said.symbol;
  return (
    hasOther ||
    (links.timeframe &&
      said.timeframe !== undefined &&
      kind === "chart" &&
      "timeframe" in settings &&
      settings.timeframe !== said.timeframe)
  );
}

export type Links = ReturnType<typeof useLinks>;
