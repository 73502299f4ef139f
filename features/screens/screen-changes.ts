import { createSettings } from "@/features/screens/ready-screens";
import {
  type LinkColour,
  type Panel,
  type PanelKind,
  type PanelSettings,
  type Screen,
  SCREEN_LIMITS,
  type ScreenContent,
} from "@/lib/access/screens/screen";
import {
  addTile,
  layOut,
  removeTile,
  settleTiles,
  type Side,
  splitTile,
  type Tile,
  type TilingLook,
} from "@/lib/access/screens/tiling";
import type { Timeframe } from "@/lib/market/timeframe";

/** The changes of a screen. Each returns new content, or the same where nothing changes. */

type Content = ScreenContent;

/** Puts panels into the places of tiles. Panels without a tile stay; tiles without a panel are ignored. */
export function placePanels(content: Content, tiles: readonly Tile[]): Content {
  const places = new Map(tiles.map((tile) => [tile.id, tile]));
  const panels = content.panels.map((panel) => {
    const tile = places.get(panel.id);
    return tile === undefined ? panel : { ...panel, x: tile.x, y: tile.y, w: tile.w, h: tile.h };
  });
  return settle({ ...content, panels });
}

/** Parts panels that overlap, because two browsers have arranged them at the same time. */
function settle(content: Content): Content {
  const tiles = settleTiles(content.panels);
  const panels = content.panels.map((panel, at) => {
    const { x, y, w, h } = tiles[at] ?? panel;
    return panel.x === x && panel.y === y && panel.w === w && panel.h === h ? panel : { ...panel, x, y, w, h };
  });
  return { ...content, panels };
}

/** Why no panel of a kind can be added, as a sentence; null if it can. */
export function findAddProblem({ panels }: Content, kind: PanelKind): string | null {
  if (panels.length >= SCREEN_LIMITS.panels) return `A screen has at most ${SCREEN_LIMITS.panels} panels.`;
  if (kind === "chart" && panels.filter((panel) => panel.kind === "chart").length >= SCREEN_LIMITS.charts) {
    return `A screen has at most ${SCREEN_LIMITS.charts} charts.`;
  }
  return addTile(panels, "new") === null ? "There is no room: remove a panel, or make one larger." : null;
}

/** Adds a panel of a kind: into free room, or into half of the largest one. */
export function addPanel(content: Content, kind: PanelKind, id: string): Content {
  if (findAddProblem(content, kind) !== null || content.panels.some((panel) => panel.id === id)) return content;
  const tiles = addTile(content.panels, id);
  const tile = tiles?.find((each) => each.id === id);
  if (!tiles || tile === undefined) return content;
  const symbol = content.panels.flatMap((panel) => ("symbol" in panel.settings ? panel.settings.symbol : []))[0];
  const { x, y, w, h } = tile;
  const settings = createSettings(kind, symbol ?? "EURUSD");
  const added = { id, kind, colour: null, x, y, w, h, settings } as unknown as Panel;
  return placePanels({ ...content, panels: [...content.panels, added] }, tiles);
}

/** Divides a panel: the new one has the same settings. */
export function splitPanel(content: Content, target: string, id: string, side: Side): Content {
  const panel = content.panels.find((each) => each.id === target);
  if (panel === undefined || findAddProblem(content, panel.kind) !== null) return content;
  const tiles = splitTile(content.panels, target, id, side);
  if (tiles === null) return content;
  const at = content.panels.indexOf(panel);
  const panels = content.panels.toSpliced(at + 1, 0, { ...panel, id });
  return placePanels({ ...content, panels }, tiles);
}

export function removePanel(content: Content, id: string): Content {
  const tiles = removeTile(content.panels, id);
  return placePanels({ ...content, panels: content.panels.filter((panel) => panel.id !== id) }, tiles);
}

/** Lays all panels out anew. */
export function layOutPanels(content: Content, look: TilingLook): Content {
  return placePanels(
    content,
    layOut(
      content.panels.map(({ id }) => id),
      look,
    ),
  );
}

/** Links a panel by a colour. It takes over the symbol of the panels that have the colour already. */
export function setColour(content: Content, id: string, colour: LinkColour | null): Content {
  const symbol = colour === null || !content.links.symbol ? null : findLinkedSymbol(content, colour);
  const panels = content.panels.map((panel) => {
    if (panel.id !== id) return panel;
    const linked = { ...panel, colour };
    return symbol === null ? linked : withSymbol(linked, symbol);
  });
  return { ...content, panels };
}

/** The symbol that the panels of a colour show; null if none of them has one. */
export function findLinkedSymbol({ panels }: Content, colour: LinkColour | null): string | null {
  if (colour === null) return null;
  return (
    panels.flatMap((panel) =>
      panel.colour === colour && "symbol" in panel.settings ? panel.settings.symbol : [],
    )[0] ?? null
  );
}

const withSymbol = (panel: Panel, symbol: string): Panel =>
  "symbol" in panel.settings ? ({ ...panel, settings: { ...panel.settings, symbol } } as Panel) : panel;

/**
 * Changes settings of one panel. A symbol and a timeframe also change in the panels of its colour, as far as the screen
 * links them.
 */
export function changePanel(content: Content, id: string, change: Partial<PanelSettings["chart"]> & object): Content {
  const changed = content.panels.find((panel) => panel.id === id);
  if (changed === undefined) return content;
  const panels = content.panels.map((panel) =>
    panel.id === id ? ({ ...panel, settings: { ...panel.settings, ...change } } as Panel) : panel,
  );
  const { colour } = changed;
  return colour === null ? { ...content, panels } : changeLinked({ ...content, panels }, colour, change);
}

/** What linked panels, also those of other windows, change together. */
export interface LinkedChange {
  readonly symbol?: string | undefined;
  readonly timeframe?: Timeframe | undefined;
}

/** Changes the panels of a colour, as far as the screen links them. */
export function changeLinked(content: Content, colour: LinkColour, { symbol, timeframe }: LinkedChange): Content {
  const { links } = content;
  return {
    ...content,
    panels: content.panels.map((panel) => {
      if (panel.colour !== colour) return panel;
      const moved = symbol !== undefined && links.symbol ? withSymbol(panel, symbol) : panel;
      if (timeframe === undefined || !links.timeframe || moved.kind !== "chart") return moved;
      return { ...moved, settings: { ...moved.settings, timeframe } };
    }),
  };
}

/** An id that no panel of the screen has. */
export function createPanelId(): string {
  return crypto
    .getRandomValues(new Uint32Array(2))
    .reduce((text, number) => text + number.toString(36), "")
    .slice(0, 12);
}

/** What others get of a screen: nothing that belongs to the account, such as its lists. */
export function toShared(content: Content): Content {
  const panels = content.panels.map((panel) =>
    panel.kind === "list" ? { ...panel, settings: { ...panel.settings, list: null } } : panel,
  );
  return { ...content, panels };
}

/** Writes the address that shows a copy of a screen to anyone who can sign in: its content is in the address itself. */
export async function toSharedHref({ name, content }: Pick<Screen, "name" | "content">): Promise<string> {
  return `/screens?layout=${await encodeScreen({ name, content: toShared(content) })}`;
}

/** Packs a screen as text for an address. */
export async function encodeScreen(screen: Pick<Screen, "name" | "content">): Promise<string> {
  const json = new Blob([JSON.stringify(screen)]).stream();
  const packed = await new Response(json.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  const text = btoa(String.fromCharCode(...new Uint8Array(packed)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
