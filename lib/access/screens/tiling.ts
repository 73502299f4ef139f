/**
 * The places of panels on a screen: tiles on a grid of 24 columns and 24 rows that fills the window. Tiles never overlap
 * and stay within the grid, so that a screen has no scroll bar. Every function returns new tiles, or null where there is
 * no room.
 */

export const GRID = { columns: 24, rows: 24 } as const;
/** The smallest tile that a panel can be read in. */
const LEAST = { w: 4, h: 4 } as const;

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Tile extends Place {
  readonly id: string;
}

export const SIDES = ["left", "right", "up", "down"] as const;
export type Side = (typeof SIDES)[number];

type Tiles = readonly Tile[];

/** How a rectangle lies along one axis: `start` and `size` along it, `from` and `to` across it. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

type Axis = "x" | "y";

function getSpan({ x, y, w, h }: Place, axis: Axis): Span {
  return axis === "x" ? { start: x, end: x + w, from: y, to: y + h } : { start: y, end: y + h, from: x, to: x + w };
}

function fromSpan({ start, end, from, to }: Span, axis: Axis): Place {
  return axis === "x"
    ? { x: start, w: end - start, y: from, h: to - from }
    : { y: start, h: end - start, x: from, w: to - from };
}

const isBeside = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

const getAxis = (side: Side): Axis => (side === "left" || side === "right" ? "x" : "y");
const getLength = (axis: Axis): number => (axis === "x" ? GRID.columns : GRID.rows);
const getLeast = (axis: Axis): number => (axis === "x" ? LEAST.w : LEAST.h);

export function doOverlap(one: Place, other: Place): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

/** Whether a tile is on the grid, in whole columns and rows, and not too small. */
export function isPlace({ x, y, w, h }: Place): boolean {
  return (
    [x, y, w, h].every(Number.isInteger) &&
    x >= 0 &&
    y >= 0 &&
    w >= LEAST.w &&
    h >= LEAST.h &&
    x + w <= GRID.columns &&
    y + h <= GRID.rows
  );
}

/**
 * Moves the right or the lower edge of a tile to a column or row. Tiles on both sides of the line through that edge move
 * with it, so that no gap opens. The edge stops where a tile would be too small.
 */
export function moveEdge(tiles: Tiles, id: string, edge: "right" | "down", to: number): Tiles {
  const axis = getAxis(edge);
  const own = tiles.find((tile) => tile.id === id);
  if (own === undefined) return tiles;
  const spans = new Map(tiles.map((tile) => [tile.id, getSpan(tile, axis)]));
  const at = getSpan(own, axis).end;
  const before = new Set([id]);
  const after = new Set<string>();
  const touches = (span: Span, group: ReadonlySet<string>) =>
    [...group].some((each) => isBeside(span, spans.get(each) as Span));
  for (let size = 0; size < before.size + after.size;) {
    size = before.size + after.size;
    for (const [each, span] of spans) {
      if (span.start === at && touches(span, before)) after.add(each);
      if (span.end === at && touches(span, after)) before.add(each);
    }
  }
  const others = [...spans].filter(([each]) => !before.has(each) && !after.has(each)).map(([, span]) => span);
  const list = (group: ReadonlySet<string>) => [...group].map((each) => spans.get(each) as Span);
  const least = getLeast(axis);
  const lowest = Math.max(
    ...list(before).map(({ start }) => start + least),
    ...others.filter(({ end, ...rest }) => end <= at && touches({ end, ...rest }, after)).map(({ end }) => end),
  );
  const highest = Math.min(
    getLength(axis),
    ...list(after).map(({ end }) => end - least),
    ...others.filter((span) => span.start >= at && touches(span, before)).map(({ start }) => start),
  );
  const moved = Math.min(Math.max(to, lowest), highest);
  return tiles.map((tile) => {
    const span = spans.get(tile.id) as Span;
    if (before.has(tile.id)) return { ...tile, ...fromSpan({ ...span, end: moved }, axis) };
    return after.has(tile.id) ? { ...tile, ...fromSpan({ ...span, start: moved }, axis) } : tile;
  });
}

/**
 * Makes a tile larger or smaller by one step with its right or lower edge, or with the other edge where that one is at the
 * border of the grid.
 */
export function growTile(tiles: Tiles, id: string, side: Side): Tiles {
  const tile = tiles.find((each) => each.id === id);
  if (tile === undefined) return tiles;
  const axis = getAxis(side);
  const step = side === "right" || side === "down" ? 1 : -1;
  const { start, end } = getSpan(tile, axis);
  const edge = axis === "x" ? "right" : "down";
  if (end < getLength(axis) || step < 0) {
    const moved = end < getLength(axis) ? moveEdge(tiles, id, edge, end + step) : null;
    if (moved !== null) return moved;
  }
  // Its far edge is the border, so the edge before it moves: with "right" the tile still grows.
  const neighbour = findNeighbour(tiles, id, axis === "x" ? "left" : "up");
  return neighbour === null ? tiles : moveEdge(tiles, neighbour.id, edge, start - step);
}

/** The tile on a side of another one that shares the longest edge with it; null without one. */
export function findNeighbour(tiles: Tiles, id: string, side: Side): Tile | null {
  const tile = tiles.find((each) => each.id === id);
  if (tile === undefined) return null;
  const axis = getAxis(side);
  const span = getSpan(tile, axis);
  const isAhead = side === "right" || side === "down";
  const found = tiles
    .filter((each) => each.id !== id)
    .map((each) => ({ each, other: getSpan(each, axis) }))
    .filter(({ other }) => isBeside(span, other) && (isAhead ? other.start >= span.end : other.end <= span.start))
    .map(({ each, other }) => ({
      each,
      gap: isAhead ? other.start - span.end : span.start - other.end,
      shared: Math.min(span.to, other.to) - Math.max(span.from, other.from),
    }))
    .sort((a, b) => a.gap - b.gap || b.shared - a.shared);
  return found[0]?.each ?? null;
}

/** Two tiles change places. */
export function swapTiles(tiles: Tiles, one: string, other: string): Tiles {
  const [first, second] = [one, other].map((id) => tiles.find((tile) => tile.id === id));
  if (first === undefined || second === undefined) return tiles;
  return tiles.map((tile) =>
    tile.id === one ? { ...second, id: one } : tile.id === other ? { ...first, id: other } : tile,
  );
}

/** Puts a new tile into the half of another one; null if that is too small to be divided. */
export function splitTile(tiles: Tiles, target: string, id: string, side: Side): Tiles | null {
  const tile = tiles.find((each) => each.id === target);
  if (tile === undefined) return null;
  const axis = getAxis(side);
  const span = getSpan(tile, axis);
  const size = span.end - span.start;
  if (size < 2 * getLeast(axis)) return null;
  const middle = span.start + Math.ceil(size / 2);
  const halves = [fromSpan({ ...span, end: middle }, axis), fromSpan({ ...span, start: middle }, axis)] as const;
  const [own, rest] = side === "left" || side === "up" ? halves : [halves[1], halves[0]];
  return [...tiles.map((each) => (each.id === target ? { ...each, ...rest } : each)), { id, ...own }];
}

/** Removes a tile. The tiles on one of its sides take its room, if they fit; else the room stays free. */
export function removeTile(tiles: Tiles, id: string): Tiles {
  const tile = tiles.find((each) => each.id === id);
  const others = tiles.filter((each) => each.id !== id);
  if (tile === undefined) return tiles;
  const fits = SIDES.flatMap((side) => {
    const axis = getAxis(side);
    const span = getSpan(tile, axis);
    const isBefore = side === "left" || side === "up";
    const beside = others.filter((each) => {
      const other = getSpan(each, axis);
      return isBeside(span, other) && (isBefore ? other.end === span.start : other.start === span.end);
    });
    const spans = beside.map((each) => getSpan(each, axis));
    const isWithin = spans.every(({ from, to }) => from >= span.from && to <= span.to);
    const covered = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    if (!isWithin || covered !== span.to - span.from) return [];
    return [{ ids: new Set(beside.map((each) => each.id)), axis, isBefore, span }];
  }).sort((a, b) => a.ids.size - b.ids.size);
  const [fit] = fits;
  if (fit === undefined) return others;
  return others.map((each) => {
    if (!fit.ids.has(each.id)) return each;
    const other = getSpan(each, fit.axis);
    const grown = fit.isBefore ? { ...other, end: fit.span.end } : { ...other, start: fit.span.start };
    return { ...each, ...fromSpan(grown, fit.axis) };
  });
}

/** Moves a tile into the half of another one; null if that is too small. Others take the room that it leaves. */
export function dockTile(tiles: Tiles, id: string, target: string, side: Side): Tiles | null {
  if (id === target) return null;
  const moved = splitTile(removeTile(tiles, id), target, id, side);
  // In their order, which is that of the keyboard and of a phone.
  return moved && tiles.flatMap((tile) => moved.find((each) => each.id === tile.id) ?? []);
}

/** How many times wider than high a window is, for choosing how to divide a tile. */
const WINDOW_SHAPE = 1.7;

/** Adds a tile: into free room, or into half of the largest tile that can be divided; null if there is none. */
export function addTile(tiles: Tiles, id: string): Tiles | null {
  const free = findRoom(tiles);
  if (free !== null) return [...tiles, { id, ...free }];
  const bySize = tiles.toSorted((a, b) => b.w * b.h - a.w * a.h);
  for (const { id: target, w, h } of bySize) {
    const sides: readonly Side[] = w * WINDOW_SHAPE >= h ? ["right", "down"] : ["down", "right"];
    for (const side of sides) {
      const added = splitTile(tiles, target, id, side);
      if (added !== null) return added;
    }
  }
  return null;
}

/** The largest free rectangle that a tile fits into; null without one. */
export function findRoom(tiles: Tiles): Place | null {
  const xs = [...new Set([0, ...tiles.flatMap(({ x, w }) => [x, x + w])])].filter((x) => x < GRID.columns);
  const ys = [...new Set([0, ...tiles.flatMap(({ y, h }) => [y, y + h])])].filter((y) => y < GRID.rows);
  const ends = (all: readonly number[], end: number, from: number) => [...all, end].filter((each) => each > from);
  let best: Place | null = null;
  for (const x of xs) {
    for (const y of ys) {
      for (const right of ends(xs, GRID.columns, x)) {
        for (const bottom of ends(ys, GRID.rows, y)) {
          const place = { x, y, w: right - x, h: bottom - y };
          const isLarger = best === null || place.w * place.h > best.w * best.h;
          if (isLarger && isPlace(place) && !tiles.some((tile) => doOverlap(tile, place))) best = place;
        }
      }
    }
  }
  return best;
}

/** Lays tiles out anew: in columns, in rows, in a grid, or the first one large and the others beside it. */
export function layOut(ids: readonly string[], look: TilingLook): Tiles {
  const count = ids.length;
  if (look === "focus" && count > 1) {
    const [first = "", ...others] = ids;
    const beside = divide(GRID.rows, Math.min(others.length, GRID.rows / LEAST.h));
    if (others.length <= beside.length) {
      const large = { id: first, x: 0, y: 0, w: 16, h: GRID.rows };
      return [large, ...others.map((id, at) => ({ id, x: 16, w: 8, ...toRow(beside, at) }))];
    }
  }
  const most = GRID.columns / LEAST.w;
  const rows = look === "columns" ? Math.ceil(count / most) : look === "rows" ? Math.min(count, most) : getRows(count);
  const heights = divide(GRID.rows, rows);
  const counts = divide(count, rows);
  let taken = 0;
  return counts.flatMap((inRow, row) => {
    const widths = divide(GRID.columns, inRow);
    return ids.slice(taken, (taken += inRow)).map((id, at) => {
      const { y: x, h: w } = toRow(widths, at);
      return { id, x, w, ...toRow(heights, row) };
    });
  });
}

export const TILING_LOOKS = ["grid", "columns", "rows", "focus"] as const;
export type TilingLook = (typeof TILING_LOOKS)[number];

/** Fewer rows than columns, as windows are wider than high. */
const getRows = (count: number): number => Math.max(1, Math.floor(Math.sqrt(count)));

/** Divides a length into whole parts that differ by at most one, the longer ones first. */
function divide(length: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, at) => Math.floor(length / parts) + (at < length % parts ? 1 : 0));
}

function toRow(sizes: readonly number[], at: number): { y: number; h: number } {
  return { y: sizes.slice(0, at).reduce((sum, size) => sum + size, 0), h: sizes[at] as number };
}

/**
 * Makes tiles valid that two browsers have arranged at the same time: the first ones keep their places, and those that
 * overlap them get other ones. Tiles for which there is no room are laid out anew with all others.
 */
export function settleTiles(tiles: Tiles): Tiles {
  let settled: Tiles = [];
  const late: string[] = [];
  for (const tile of tiles) {
    if (isPlace(tile) && !settled.some((other) => doOverlap(tile, other))) settled = [...settled, tile];
    else late.push(tile.id);
  }
  for (const id of late) {
    const added = addTile(settled, id);
    if (added === null) {
      return layOut(
        tiles.map((tile) => tile.id),
        "grid",
      );
    }
    settled = added;
  }
  return tiles.flatMap((tile) => settled.find(({ id }) => id === tile.id) ?? []);
}
