"use client";

import { type PointerEvent, useMemo, useRef, useState } from "react";
import { type Compactor, GridLayout, type LayoutItem } from "react-grid-layout";
import { ArrangeTarget } from "@/features/screens/arrange";
import type { PanelViewer } from "@/features/screens/panel-content";
import { describePanel, PanelFrame, type PanelSteps } from "@/features/screens/panel-frame";
import type { Links } from "@/features/screens/use-links";
import type { Panel } from "@/lib/access/screens/screen";
import {
  dockTile,
  findRoom,
  GRID,
  moveEdge,
  type Place,
  type Side,
  swapTiles,
  type Tile,
} from "@/lib/access/screens/tiling";

interface ScreenGridProps {
  panels: readonly Panel[];
  links: Links;
  steps: PanelSteps;
  viewer: PanelViewer;
  /** The room of the grid in pixels. */
  width: number;
  height: number;
  maximised: string | null;
  isArranging: boolean;
  /** The panel that has the focus while panels are arranged. */
  arranged: string | null;
  onArranged: (id: string) => void;
  onTiles: (tiles: readonly Tile[]) => void;
}

/** The tile that the pointer moves now, and the tiles before. */
interface Move {
  readonly id: string;
  readonly before: readonly Tile[];
}

const NO_GAP = [0, 0] as const;

/**
 * Panels side by side. A panel is dragged by its first line: onto the middle of another one to change places with it, or
 * onto one of its sides to go there. The edges between panels are dragged, too. The library follows the pointer that drags a
 * panel; the places come from the tiling.
 */
export default function ScreenGrid(props: ScreenGridProps) {
  const { panels, links, steps, viewer, width, height, maximised, isArranging, arranged, onArranged, onTiles } = props;
  const grid = useRef<HTMLDivElement>(null);
  const move = useRef<Move | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const kept = useMemo(() => panels.map(({ id, x, y, w, h }) => ({ id, x, y, w, h })), [panels]);
  /** The tiles while an edge is dragged. */
  const [sized, setSized] = useState<readonly Tile[] | null>(null);
  const tiles = sized ?? kept;
  const layout = useMemo(() => tiles.map(toItem), [tiles]);
  const compactor = useMemo((): Compactor => {
    return {
      type: null,
      allowOverlap: true,
      compact(items) {
        // A dragged panel leaves the others where they are until it is dropped.
        return move.current === null ? items : move.current.before.map(toItem);
      },
    };
  }, []);

  function start(item: LayoutItem | null): void {
    move.current = item === null ? null : { id: item.i, before: tiles };
  }

  function findDrop(event: Event): Drop | null {
    const box = grid.current?.getBoundingClientRect();
    const point = getPoint(event);
    if (box === undefined || point === null || move.current === null) return null;
    const at = { x: ((point.x - box.x) / width) * GRID.columns, y: ((point.y - box.y) / height) * GRID.rows };
    return planDrop(tiles, move.current.id, at);
  }

  return (
    <div ref={grid}>
      {/* The library adds a style element of this id, which has no nonce, unless there is one. */}
      <span hidden id="react-draggable-style-el" />
      <GridLayout
        width={width}
        autoSize={false}
        style={{ height }}
        layout={layout}
        gridConfig={{ cols: GRID.columns, rowHeight: height / GRID.rows, margin: NO_GAP, maxRows: GRID.rows }}
        dragConfig={{
          enabled: maximised === null,
          handle: isArranging ? ".arrange-target" : ".panel-head",
          cancel: "button:not(.arrange-target), input, select, [role=listbox], [popover]",
          threshold: 4,
        }}
        resizeConfig={{ enabled: false }}
        compactor={compactor}
        onDragStart={(_, item) => start(item)}
        onDrag={(_layout, _old, _item, _placeholder, event) => setDrop(findDrop(event))}
        onDragStop={(_layout, _old, _item, _placeholder, event) => {
          const planned = findDrop(event) ?? drop;
          move.current = null;
          setDrop(null);
          if (planned !== null) onTiles(planned.tiles);
        }}
      >
        {panels.map((panel) => (
          <div key={panel.id} data-panel-id={panel.id} data-maximised={panel.id === maximised || undefined}>
            <div className="h-full" inert={isArranging || (maximised !== null && panel.id !== maximised)}>
              <PanelFrame {...{ panel, links, steps, viewer }} isMaximised={panel.id === maximised} hasPlace />
            </div>
            {isArranging && (
              <ArrangeTarget
                tiles={tiles}
                id={panel.id}
                title={describePanel(panel)}
                hasFocus={panel.id === arranged}
                onFocus={() => onArranged(panel.id)}
              />
            )}
          </div>
        ))}
      </GridLayout>
      {maximised === null &&
        !isArranging &&
        listEdges(tiles).map((edge) => (
          <PanelEdge
            key={`${edge.id} ${edge.side}`}
            edge={edge}
            onMove={({ x, y }) => {
              const box = grid.current?.getBoundingClientRect();
              if (box === undefined) return;
              const share = edge.side === "right" ? (x - box.x) / width : (y - box.y) / height;
              const to = Math.round(share * (edge.side === "right" ? GRID.columns : GRID.rows));
              setSized(moveEdge(kept, edge.id, edge.side, to));
            }}
            onEnd={(isKept) => {
              if (isKept && sized !== null) onTiles(sized);
              setSized(null);
            }}
          />
        ))}
      {drop !== null && <div aria-hidden className="drop-mark" style={toPercent(drop.place)} />}
    </div>
  );
}

const toItem = ({ id, x, y, w, h }: Tile): LayoutItem => ({ i: id, x, y, w, h });

/** A side of a tile that another one may touch. */
interface Edge {
  readonly id: string;
  readonly side: "right" | "down";
  readonly place: Place;
}

/** The right and lower sides of tiles, except those at the border of the grid. */
function listEdges(tiles: readonly Tile[]): Edge[] {
  return tiles.flatMap(({ id, x, y, w, h }) => [
    ...(x + w < GRID.columns ? [{ id, side: "right" as const, place: { x: x + w, y, w: 0, h } }] : []),
    ...(y + h < GRID.rows ? [{ id, side: "down" as const, place: { x, y: y + h, w, h: 0 } }] : []),
  ]);
}

interface PanelEdgeProps {
  edge: Edge;
  onMove: (point: { x: number; y: number }) => void;
  onEnd: (isKept: boolean) => void;
}

/** A strip over an edge, which stands above the panels of both sides. The keyboard sizes panels while it arranges them. */
function PanelEdge({ edge: { side, place }, onMove, onEnd }: PanelEdgeProps) {
  const isHeld = (event: PointerEvent<HTMLElement>) => event.currentTarget.hasPointerCapture(event.pointerId);
  return (
    <span
      aria-hidden
      className={`panel-edge panel-edge-${side}`}
      style={toPercent(place)}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (isHeld(event)) onMove({ x: event.clientX, y: event.clientY });
      }}
      onPointerUp={(event) => {
        if (isHeld(event)) onEnd(true);
      }}
      onPointerCancel={() => onEnd(false)}
    />
  );
}

interface Drop {
  /** Where the panel would be. */
  readonly place: Place;
  readonly tiles: readonly Tile[];
}

/** How near to a side of a panel, as a share of its size, a drop goes beside it. */
const SIDE_SHARE = 0.25;

/** What a drop of a tile at a point of the grid does: null where it does nothing. */
export function planDrop(tiles: readonly Tile[], id: string, at: { x: number; y: number }): Drop | null {
  const target = tiles.find(({ x, y, w, h }) => at.x >= x && at.x < x + w && at.y >= y && at.y < y + h);
  if (target?.id === id) return null;
  if (target === undefined) {
    const room = findRoom(tiles);
    const isIn = room !== null && at.x >= room.x && at.x < room.x + room.w && at.y >= room.y && at.y < room.y + room.h;
    return isIn
      ? toDrop(
          tiles.map((tile) => (tile.id === id ? { ...room, id } : tile)),
          id,
        )
      : null;
  }
  const distances: readonly (readonly [Side, number])[] = [
    ["left", (at.x - target.x) / target.w],
    ["right", (target.x + target.w - at.x) / target.w],
    ["up", (at.y - target.y) / target.h],
    ["down", (target.y + target.h - at.y) / target.h],
  ];
  const [side, distance] = distances.reduce((least, each) => (each[1] < least[1] ? each : least));
  const docked = distance < SIDE_SHARE ? dockTile(tiles, id, target.id, side) : null;
  return toDrop(docked ?? swapTiles(tiles, id, target.id), id);
}

function toDrop(tiles: readonly Tile[], id: string): Drop | null {
  const place = tiles.find((tile) => tile.id === id);
  return place === undefined ? null : { place, tiles };
}

function toPercent({ x, y, w, h }: Place) {
  const [column, row] = [100 / GRID.columns, 100 / GRID.rows];
  return { left: `${x * column}%`, top: `${y * row}%`, width: `${w * column}%`, height: `${h * row}%` };
}

function getPoint(event: Event): { x: number; y: number } | null {
  if ("clientX" in event) return { x: (event as MouseEvent).clientX, y: (event as MouseEvent).clientY };
  const touch = "changedTouches" in event ? (event as TouchEvent).changedTouches[0] : undefined;
  return touch === undefined ? null : { x: touch.clientX, y: touch.clientY };
}
