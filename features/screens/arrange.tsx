"use client";

import { Move } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { dockTile, findNeighbour, GRID, growTile, type Side, swapTiles, type Tile } from "@/lib/access/screens/tiling";

/** Arranging panels with the keyboard. */

const SIDES: Readonly<Record<string, Side>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

interface ArrangeStep {
  readonly tiles: readonly Tile[];
  /** What has happened, as a sentence for screen readers. */
  readonly said: string;
}

type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey">;

/**
 * What a key does with a panel: arrow keys change its place with the panel on that side, with Alt they move it beyond that
 * panel, and with Shift they size it. Null for other keys.
 */
export function readArrangeKey(
  { key, shiftKey, altKey, ctrlKey, metaKey }: Pressed,
  tiles: readonly Tile[],
  id: string,
  getName: (id: string) => string,
): ArrangeStep | null {
  const side = SIDES[key];
  if (side === undefined || ctrlKey || metaKey) return null;
  const name = getName(id);
  if (shiftKey) {
    const sized = growTile(tiles, id, side);
    const isSame = JSON.stringify(sized) === JSON.stringify(tiles);
    return { tiles: sized, said: isSame ? `${name} cannot be sized further` : `${name}: ${describePlace(sized, id)}` };
  }
  const neighbour = findNeighbour(tiles, id, side);
  if (neighbour === null) return { tiles, said: `No panel ${WORDS[side]} ${name}` };
  const moved = altKey ? dockTile(tiles, id, neighbour.id, side) : swapTiles(tiles, id, neighbour.id);
  if (moved === null) return { tiles, said: `${getName(neighbour.id)} has no room beside it` };
  const verb = altKey ? `now ${WORDS[side]}` : "changed places with";
  return { tiles: moved, said: `${name} ${verb} ${getName(neighbour.id)}: ${describePlace(moved, id)}` };
}

const WORDS: Readonly<Record<Side, string>> = { left: "left of", right: "right of", up: "above", down: "below" };

/** "columns 1 to 12, rows 1 to 24 of 24". */
function describePlace(tiles: readonly Tile[], id: string): string {
  const tile = tiles.find((each) => each.id === id);
  if (tile === undefined) return "";
  const { x, y, w, h } = tile;
  return `columns ${x + 1} to ${x + w}, rows ${y + 1} to ${y + h} of ${GRID.rows}`;
}

interface ArrangeTargetProps {
  tiles: readonly Tile[];
  id: string;
  title: string;
  hasFocus: boolean;
  onFocus: () => void;
}

export const ARRANGE_HELP = "arrange-help";

/** A panel while panels are arranged: one button, whose keys the screen handles. */
export function ArrangeTarget({ tiles, id, title, hasFocus, onFocus }: ArrangeTargetProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasFocus && document.activeElement !== button.current) button.current?.focus();
  }, [hasFocus]);
  return (
    <button
      ref={button}
      type="button"
      data-arrange={id}
      aria-label={`${title}, ${describePlace(tiles, id)}`}
      aria-describedby={ARRANGE_HELP}
      onFocus={onFocus}
      className="arrange-target"
    >
      <span
        aria-hidden
        className="grid justify-items-center gap-1.5 rounded-md bg-raised px-3 py-2 text-xs12 shadow-float"
      >
        <Move size={16} className="text-accent-ink" />
        {title}
      </span>
    </button>
  );
}
