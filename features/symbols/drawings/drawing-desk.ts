import type { ISeriesPrimitive, Time } from "lightweight-charts";
import { ChartSurface, type DeskChart, type KeyStep } from "@/features/symbols/drawings/chart-surface";
import { DrawingPainter, type Painted, type Watch } from "@/features/symbols/drawings/drawing-painter";
import type { DrawingStore } from "@/features/symbols/drawings/drawing-store";
import { hitShapes, layOut, type Place, toPlace } from "@/features/symbols/drawings/geometry";
import {
  findKindOfKey,
  getKind,
  isHidden,
  isKnown,
  isLocked,
  type Kind,
  type KnownDrawing,
} from "@/features/symbols/drawings/kinds";
import { alignPosition, simplify } from "@/features/symbols/drawings/measures";
import type { SymbolInstrument } from "@/features/symbols/types";
import { createDrawingId, type Drawing, type DrawingPoint } from "@/lib/access/drawing";

/**
 * Drawing on a chart: the chosen tool, the selected drawing, and what the pointer and the keys do to them. It outlives the
 * chart, which is made anew for another timeframe or theme.
 */

export interface DeskState {
  /** The kind that is being drawn; null to select. */
  readonly tool: Kind | null;
  /** How many points of it are placed. */
  readonly placed: number;
  readonly selected: string | null;
  /** The point of the selected drawing that the arrow keys move; null for all of it. */
  readonly point: number | null;
  readonly isMagnetic: boolean;
  /** Whether all drawings are hidden, and whether none can be moved. */
  readonly areHidden: boolean;
  readonly areLocked: boolean;
  /** Raised when the text of the selected drawing is to be written. */
  readonly textRequest: number;
  /** The menu that is open; null for none. */
  readonly menu: DeskMenu | null;
}

/** A menu at a place of the chart. */
export interface DeskMenu {
  /** Pixels from the left and the top of the chart. */
  readonly x: number;
  readonly y: number;
  readonly price: number;
  /** The drawing or alert there; null for none. */
  readonly id: string | null;
}

/** Moves an alert to a level, or deletes it. */
type ChangeLevel = (id: string, level: number | null) => void;

interface Attached {
  readonly surface: ChartSurface;
  readonly element: HTMLElement;
  readonly requestUpdate: () => void;
}

type Drag =
  | { readonly kind: "point"; readonly drawing: KnownDrawing; readonly index: number }
  | { readonly kind: "whole"; readonly drawing: KnownDrawing; readonly from: Place }
  | { readonly kind: "brush"; readonly places: Place[] }
  /** The press that places a point. */
  | { readonly kind: "place"; readonly from: Place };

/** Pixels around a line or point that belong to it. */
const REACH = { mouse: 6, touch: 14 } as const;
/** A pointer that moves less than this has not moved. */
const SLOP = 6;
/** A finger that stays this long opens the menu. */
const LONG_PRESS_MS = 550;
/** A step of the arrow keys in shares of the height, and with Shift. */
const KEY_STEP = { usual: 1 / 40, fine: 1 / 400 } as const;
export class DrawingDesk {
  readonly #store: DrawingStore;
  readonly #instrument: SymbolInstrument;
  readonly #listeners = new Set<() => void>();
  #state: DeskState = {
    ...{ tool: null, placed: 0, selected: null, point: null, textRequest: 0, menu: null },
    ...{ isMagnetic: false, areHidden: false, areLocked: false },
  };
  #attached: Attached | null = null;
  /** The placed points of the drawing that is begun, and the one under the pointer or the keys. */
  #points: DrawingPoint[] = [];
  #cursor: DrawingPoint | null = null;
  #hasKeyCursor = false;
  #drag: Drag | null = null;
  #preview: KnownDrawing | null = null;
  #hovered: string | null = null;
  /** What a press without a movement selects. */
  #tap: { readonly id: string | null; readonly at: Place } | null = null;

  #alerts: readonly KnownDrawing[] = [];
  /** The alerts of drawn lines, by the ids of these. */
  #watches: ReadonlyMap<string, Watch> = new Map();
  #onAlert: ChangeLevel = () => {};
  #longPress: ReturnType<typeof setTimeout> | undefined;

  constructor(store: DrawingStore, instrument: SymbolInstrument) {
    this.#store = store;
    this.#instrument = instrument;
  }

  get = (): DeskState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #change(change: Partial<DeskState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
    this.#attached?.requestUpdate();
  }

  /** Shows alerts as lines, which are selected, moved and deleted like drawings, and a bell on each watched drawing. */
  setAlerts(alerts: readonly KnownDrawing[], watches: ReadonlyMap<string, Watch>): void {
    this.#alerts = alerts;
    this.#watches = watches;
    this.#preview = this.#drag === null ? null : this.#preview;
    this.#dropSelection();
    this.#change({});
  }

  /** Calls the listener when an alert is moved or deleted. */
  listenToAlerts(listener: ChangeLevel): void {
    this.#onAlert = listener;
  }

  /** A drawing or an alert. */
  find(id: string | null): Drawing | undefined {
    return this.#store.find(id) ?? this.#alerts.find((each) => each.id === id);
  }

  /** The alert of a drawn line; null without one. */
  findWatch(id: string | null): Watch | null {
    return this.#watches.get(id ?? "") ?? null;
  }

  #put(drawing: KnownDrawing): void {
    const isOfAlert = this.#alerts.some(({ id }) => id === drawing.id);
    if (!isOfAlert) return this.#store.put([drawing]);
    // It stays where it was dragged to until the server has answered.
    this.#alerts = this.#alerts.map((each) => (each.id === drawing.id ? drawing : each));
    this.#onAlert(drawing.id, drawing.points[0]?.[1] ?? null);
  }

  #remove(id: string): void {
    if (this.#store.find(id) === undefined) this.#onAlert(id, null);
    else this.#store.remove([id]);
  }

  #dropSelection(): void {
    if (this.#state.selected !== null && this.find(this.#state.selected) === undefined) this.select(null);
  }

  closeMenu(): void {
    this.#change({ menu: null });
  }

  /** Draws a horizontal line at a price. */
  drawLevel(price: number): void {
    const newest = this.#attached?.surface.readNewest();
    if (newest !== null && newest !== undefined) this.#finish("horizontal-line", [[newest[0], price]]);
  }

  /** Draws on a chart. Returns what ends it. */
  attach(chart: DeskChart): () => void {
    const painter = new DrawingPainter(chart.colours);
    const surface = new ChartSurface(chart, this.#instrument, (text, isLarge) => painter.measureText(text, isLarge));
    let requestUpdate = (): void => {};
    const draw = (target: Parameters<DrawingPainter["paint"]>[0]): void => {
      const frame = surface.readFrame();
      const cursor = this.#hasKeyCursor ? this.#cursor : null;
      if (frame !== null) painter.paint(target, frame, this.#listPainted(), cursor);
    };
    const views = [{ zOrder: () => "normal" as const, renderer: () => ({ draw }) }];
    const primitive: ISeriesPrimitive<Time> = {
      attached: (parameters) => (requestUpdate = parameters.requestUpdate),
      paneViews: () => views,
      priceAxisViews: () =>
        painter.listAxisLabels(this.#listPainted(), (price) => surface.toY(price), this.#instrument),
    };
    const element = chart.scene.chart.chartElement();
    this.#attached = { surface, element, requestUpdate: () => requestUpdate() };
    chart.scene.candles.attachPrimitive(primitive);
    const unsubscribe = this.#store.subscribe(() => {
      this.#dropSelection();
      requestUpdate();
    });
    const unlisten = this.#listen(element);
    const detach = (): void => {
      unsubscribe();
      unlisten();
      chart.scene.removed.removeEventListener("abort", detach);
      if (!chart.scene.removed.aborted) chart.scene.candles.detachPrimitive(primitive);
      this.#drag = this.#preview = null;
      if (this.#attached?.surface === surface) this.#attached = null;
    };
    // The chart is removed before the page knows.
    chart.scene.removed.addEventListener("abort", detach);
    return detach;
  }

  /** The earliest moment for which bars are needed, so that lines from before the loaded bars have their slope. */
  findNeededMs(): number {
    const first = this.#attached?.surface.firstMs ?? Infinity;
    const times = this.#listShown().flatMap(({ id, kind, points }) => {
      const own = points.map(([ms]) => ms);
      const isWatched = this.findWatch(id)?.isEndless === true;
      const isEndless = isWatched || kind === "ray" || kind === "extended-line" || kind === "pitchfork";
      const [from, to] = [Math.min(...own), Math.max(...own)];
      return kind !== "horizontal-line" && from < first && (isEndless || to > first) ? [from] : [];
    });
    return Math.min(Infinity, ...times);
  }

  choose(tool: Kind | null): void {
    this.#points = [];
    this.#cursor = null;
    this.#hasKeyCursor = false;
    this.#change({ tool, placed: 0, selected: null, point: null });
    this.#setPointerLook(tool === null ? "" : "crosshair");
  }

  select(id: string | null): void {
    if (id !== this.#state.selected || this.#state.point !== null) this.#change({ selected: id, point: null });
  }

  toggle(name: "isMagnetic" | "areHidden" | "areLocked"): void {
    this.#change({ [name]: !this.#state[name] });
  }

  /** Copies the selected drawing beside itself. */
  duplicate(): void {
    const drawing = this.#store.find(this.#state.selected);
    if (drawing !== undefined) this.paste([drawing]);
  }

  /** Adds copies of drawings, a little beside them if they are on this chart, and selects the last one. */
  paste(drawings: readonly Drawing[]): void {
    const copies = drawings.map((drawing) => {
      const isHere = this.#store.find(drawing.id) !== undefined;
      const points = isHere
        ? drawing.points.map((point) => this.#attached?.surface.shift(point, 2, 16) ?? point)
        : drawing.points;
      return { ...drawing, points, id: createDrawingId() };
    });
    if (copies.length === 0 || !this.#store.hasRoom) return;
    this.#store.put(copies);
    this.choose(null);
    this.select(copies.at(-1)?.id ?? null);
  }

  /** The drawings that can be seen, the topmost last, with the changes of a drag. */
  #listShown(): KnownDrawing[] {
    const preview = this.#preview;
    const drawings = this.#state.areHidden ? [] : this.#store.get().drawings;
    return [...drawings, ...this.#alerts]
      .map((each) => (each.id === preview?.id ? preview : each))
      .filter((each): each is KnownDrawing => isKnown(each) && !isHidden(each));
  }

  #listPainted(): Painted[] {
    const { selected, point } = this.#state;
    const shown = this.#listShown().map((drawing) => ({
      drawing,
      isSelected: drawing.id === selected,
      isHovered: drawing.id === this.#hovered,
      point: drawing.id === selected ? point : null,
      watch: this.findWatch(drawing.id),
    }));
    const draft = this.#readDraft();
    return draft === null
      ? shown
      : [...shown, { drawing: draft, isSelected: true, isHovered: false, point: null, watch: null }];
  }

  /** The drawing that is begun, as it would be with its next point where the pointer is. */
  #readDraft(): KnownDrawing | null {
    const { tool } = this.#state;
    const surface = this.#attached?.surface;
    if (tool === null || surface === undefined) return null;
    const base = { id: "draft", kind: tool } as const;
    if (this.#drag?.kind === "brush") {
      const points = this.#drag.places.map((place) => surface.toFreePoint(place));
      return points.length < 2 ? null : { ...base, points };
    }
    if (this.#points.length === 0) return null;
    const points = this.#cursor === null ? this.#points : [...this.#points, this.#cursor];
    const { points: wanted } = getKind(tool);
    if (points.length === 2 && wanted === 3) return { ...base, kind: "trend-line", points };
    return isKnown({ ...base, points }) ? { ...base, points } : null;
  }

  /** The point at a place, level with the one before while Shift is held. */
  #toPoint(place: Place, { shiftKey }: { readonly shiftKey: boolean }): DrawingPoint {
    const levelWith = shiftKey ? (this.#points.at(-1) ?? null) : null;
    return this.#attached?.surface.toPoint(place, { isMagnetic: this.#state.isMagnetic, levelWith }) ?? [NaN, NaN];
  }

  /** What lies at a place, the topmost first: a point of the selected drawing, or a drawing. */
  #hit(
    place: Place,
    reach: number,
  ): { readonly drawing: KnownDrawing; readonly part: number | "edge" | "inside" } | null {
    const frame = this.#attached?.surface.readFrame() ?? null;
    if (frame === null) return null;
    const shown = this.#listShown().toReversed();
    const selected = shown.find(({ id }) => id === this.#state.selected);
    if (selected !== undefined && selected.kind !== "brush") {
      const index = selected.points.findIndex((point) => {
        const { x, y } = toPlace(frame, point);
        return Math.hypot(x - place.x, y - place.y) <= reach + 3;
      });
      if (index !== -1) return { drawing: selected, part: index };
    }
    let inside: KnownDrawing | null = null;
    for (const drawing of shown) {
      const part = hitShapes(layOut(drawing, frame), place, reach, frame.measureText);
      if (part === "edge") return { drawing, part };
      if (part === "inside") inside ??= drawing;
    }
    return inside && { drawing: inside, part: "inside" };
  }

  // Pointers

  #listen(element: HTMLElement): () => void {
    const ending = new AbortController();
    const options = { capture: true, signal: ending.signal } as const;
    element.addEventListener("pointerdown", (event) => this.#onDown(event, element), options);
    element.addEventListener("pointermove", (event) => this.#onMove(event), options);
    element.addEventListener("pointerup", (event) => this.#onUp(event), options);
    element.addEventListener("pointercancel", () => this.#cancelDrag(), options);
    element.addEventListener("contextmenu", (event) => this.#onMenu(event), options);
    element.addEventListener("pointerleave", () => this.#hover(null), { signal: ending.signal });
    // The chart listens to these, and would move together with a drawing.
    const stop = (event: Event): void => {
      if (this.#drag === null) return;
      event.stopPropagation();
      if (event.cancelable) event.preventDefault();
    };
    for (const name of ["touchstart", "touchmove", "mousedown"] as const) {
      element.addEventListener(name, stop, { ...options, passive: false });
    }
    this.#setPointerLook(this.#state.tool === null ? "" : "crosshair");
    return () => ending.abort();
  }

  /** The place of an event in the pane of the prices; null outside of it, unless something is dragged. */
  #readPlace(event: PointerEvent): Place | null {
    const read = this.#attached?.surface.readPlace(event) ?? null;
    return read !== null && (read.isInside || this.#drag !== null) ? read.place : null;
  }

  #onDown(event: PointerEvent, element: HTMLElement): void {
    this.#tap = null;
    if (event.pointerType === "touch" && event.isPrimary) this.#startLongPress(event);
    const place = this.#readPlace(event);
    if (place === null || event.button !== 0 || !event.isPrimary) return;
    const { tool, areLocked } = this.#state;
    if (tool !== null) {
      this.#claim(event, element);
      this.#hasKeyCursor = false;
      this.#cursor = this.#toPoint(place, event);
      this.#drag = getKind(tool).points === 0 ? { kind: "brush", places: [place] } : { kind: "place", from: place };
      if (this.#points.length === 0 && this.#drag.kind === "place" && getKind(tool).points > 1) this.#place();
      this.#attached?.requestUpdate();
      return;
    }
    const isTouch = event.pointerType === "touch";
    const hit = this.#hit(place, isTouch ? REACH.touch : REACH.mouse);
    const isSelected = hit !== null && hit.drawing.id === this.#state.selected;
    // A finger scrolls, and the inside of an area moves the chart, until the drawing is selected.
    if (hit === null || (!isSelected && (isTouch || hit.part === "inside"))) {
      this.#tap = { id: hit?.drawing.id ?? null, at: place };
      return;
    }
    this.#claim(event, element);
    this.select(hit.drawing.id);
    const isFixed = areLocked || isLocked(hit.drawing);
    const { drawing, part } = hit;
    if (isFixed) this.#drag = { kind: "place", from: place };
    else if (typeof part === "number") this.#drag = { kind: "point", drawing, index: part };
    else this.#drag = { kind: "whole", drawing, from: place };
  }

  /** Keeps a press from the chart, and the keys on it. */
  #claim(event: PointerEvent, element: HTMLElement): void {
    event.preventDefault();
    event.stopPropagation();
    element.setPointerCapture(event.pointerId);
    element.closest<HTMLElement>("[data-chart]")?.focus({ preventScroll: true });
  }

  /** Opens the menu where a finger stays. */
  #startLongPress(event: PointerEvent): void {
    clearTimeout(this.#longPress);
    if (this.#state.tool !== null) return;
    this.#pressedAt = { x: event.clientX, y: event.clientY };
    this.#longPress = setTimeout(() => {
      this.#cancelDrag();
      this.#onMenu(event);
    }, LONG_PRESS_MS);
  }

  /** Where a finger that may stay is. */
  #pressedAt: Place = { x: 0, y: 0 };

  /** Opens the menu at a place of the prices or of their axis. A tool is put away first. */
  #onMenu(event: MouseEvent): void {
    const chart = this.#attached;
    const read = chart?.surface.readPlace(event) ?? null;
    if (chart === null || read === null) return;
    const price = chart.surface.readPrice(read.place.y);
    const isBeside = !read.isInside && read.place.x < 0;
    const { top, left, height } = chart.element.getBoundingClientRect();
    if (price === null || price <= 0 || isBeside || read.place.y < 0 || read.place.y > height) return;
    event.preventDefault();
    if (this.#state.tool !== null) return this.choose(null);
    const id = read.isInside ? (this.#hit(read.place, REACH.mouse)?.drawing.id ?? null) : null;
    this.select(id);
    this.#change({ menu: { x: event.clientX - left, y: Math.min(event.clientY - top, height - 120), price, id } });
  }

  #onMove(event: PointerEvent): void {
    const { x, y } = this.#pressedAt;
    if (Math.hypot(event.clientX - x, event.clientY - y) > SLOP) clearTimeout(this.#longPress);
    const place = this.#readPlace(event);
    if (place === null) return this.#hover(null);
    const drag = this.#drag;
    if (drag?.kind === "point") {
      this.#preview = movePoint(drag.drawing, drag.index, this.#toPoint(place, { shiftKey: false }));
    } else if (drag?.kind === "whole") {
      const by = { x: place.x - drag.from.x, y: place.y - drag.from.y };
      this.#preview = this.#attached?.surface.moveWhole(drag.drawing, by) ?? null;
    } else if (drag?.kind === "brush") drag.places.push(place);
    else if (this.#state.tool !== null) {
      this.#hasKeyCursor = false;
      this.#cursor = this.#toPoint(place, event);
    } else {
      const hit = event.pointerType === "touch" ? null : this.#hit(place, REACH.mouse);
      this.#hover(hit?.drawing.id ?? null, hit === null ? "" : typeof hit.part === "number" ? "grab" : "pointer");
      return;
    }
    if (drag !== null) event.stopPropagation();
    if (drag !== null || this.#points.length > 0) this.#attached?.requestUpdate();
  }

  #onUp(event: PointerEvent): void {
    clearTimeout(this.#longPress);
    const place = this.#readPlace(event);
    const [drag, tap] = [this.#drag, this.#tap];
    this.#drag = this.#tap = null;
    if (drag === null) {
      const hasMoved = tap === null || place === null || Math.hypot(place.x - tap.at.x, place.y - tap.at.y) > SLOP;
      if (!hasMoved) this.select(tap.id);
      return;
    }
    event.stopPropagation();
    if (drag.kind === "brush") this.#finishBrush(drag.places);
    else if (drag.kind === "place") {
      const { tool } = this.#state;
      if (tool === null || place === null) return;
      const isMoved = Math.hypot(place.x - drag.from.x, place.y - drag.from.y) > SLOP;
      this.#cursor = this.#toPoint(place, event);
      // The press itself has placed the first of several points.
      const isFirst = this.#points.length === 1 && getKind(tool).points > 1 && !this.#hasReleased;
      this.#hasReleased = true;
      if (!isFirst || isMoved) this.#place();
    } else if (this.#preview !== null) {
      const changed = this.#preview;
      this.#preview = null;
      this.#put(changed);
    }
    this.#attached?.requestUpdate();
  }

  /** Whether the press that has placed the first point is over. */
  #hasReleased = false;

  #cancelDrag(): void {
    clearTimeout(this.#longPress);
    this.#drag = this.#preview = this.#tap = null;
    this.#attached?.requestUpdate();
  }

  #hover(id: string | null, look = ""): void {
    if (this.#state.tool !== null) return;
    this.#setPointerLook(look);
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.#attached?.requestUpdate();
  }

  #setPointerLook(cursor: string): void {
    if (this.#attached !== null) this.#attached.element.style.cursor = cursor;
  }

  // Placing

  /** Places the next point at the cursor, and draws the drawing once it has all. */
  #place(): void {
    const { tool } = this.#state;
    if (tool === null || this.#cursor === null || this.#cursor.some(Number.isNaN)) return;
    if (this.#points.length === 0) this.#hasReleased = false;
    this.#points = [...this.#points, this.#cursor];
    if (this.#points.length < getKind(tool).points) {
      this.#change({ placed: this.#points.length });
      return;
    }
    const isPosition = tool === "long-position" || tool === "short-position";
    const entry = this.#points[0] as DrawingPoint;
    const opened = isPosition ? this.#attached?.surface.openPosition(entry, tool === "long-position") : undefined;
    this.#finish(tool, opened ?? this.#points);
  }

  #finishBrush(places: readonly Place[]): void {
    if (places.length < 2) return;
    const surface = this.#attached?.surface;
    if (surface === undefined) return;
    this.#finish(
      "brush",
      simplify(places, 1, 200).map((place) => surface.toFreePoint(place)),
    );
  }

  #finish(kind: Kind, points: readonly DrawingPoint[]): void {
    const drawing: Drawing = { id: createDrawingId(), kind, points, ...(kind === "text" && { text: "Text" }) };
    this.#points = [];
    this.#cursor = null;
    this.#hasKeyCursor = false;
    if (!this.#store.hasRoom) return this.choose(null);
    this.#store.put([drawing]);
    // Several strokes follow each other.
    if (kind === "brush") return this.#change({ placed: 0 });
    this.#setPointerLook("");
    const textRequest = this.#state.textRequest + (kind === "text" ? 1 : 0);
    this.#change({ tool: null, placed: 0, selected: drawing.id, point: null, textRequest });
  }

  // Keys

  /** Does what a key means to drawings. Returns what is to be read out; null if the key means nothing to them. */
  press(event: KeyboardEvent): string | null {
    const { key, code, altKey, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && !altKey) return this.#pressCommand(key.toLowerCase(), shiftKey);
    if (isCommand) return null;
    const { tool, selected } = this.#state;
    if (altKey && (key === "ArrowUp" || key === "ArrowDown")) return this.#selectNext(key === "ArrowDown" ? 1 : -1);
    if (altKey) return this.#pressAlt(code);
    if (key === "Escape") return this.#pressEscape();
    const step = findStep(key, shiftKey);
    if (tool !== null) {
      if (getKind(tool).points === 0) return null;
      if (step !== null) return this.#moveCursor(step);
      return key === "Enter" || key === " " ? this.#placeByKey() : null;
    }
    if (key === "ContextMenu" || (key === "F10" && shiftKey)) return this.#openMenuByKey();
    const drawing = this.find(selected);
    if (drawing === undefined || !isKnown(drawing)) return null;
    if (key === "Delete" || key === "Backspace") {
      this.#remove(drawing.id);
      return "Deleted";
    }
    if (key === "Enter") return this.#nextPoint(drawing);
    return step === null ? null : this.#moveSelected(drawing, step);
  }

  #pressCommand(key: string, isShifted: boolean): string | null {
    if (key === "z" && !isShifted) {
      this.#store.undo();
      return "Undone";
    }
    if (key === "y" || key === "z") {
      this.#store.redo();
      return "Done again";
    }
    const drawing = this.#store.find(this.#state.selected);
    if (key === "c" && drawing !== undefined) {
      clipboard = [drawing];
      return "Copied";
    }
    if (key === "v" && clipboard.length > 0) {
      this.paste(clipboard);
      return "Pasted";
    }
    return null;
  }

  #pressAlt(code: string): string | null {
    const chosen = findKindOfKey(code);
    if (chosen === undefined) return null;
    this.choose(chosen);
    return `${getKind(chosen).title}. Arrow keys move the cursor, Enter places a point.`;
  }

  #pressEscape(): string | null {
    const { tool, selected } = this.#state;
    if (tool === null && selected === null) return null;
    if (this.#points.length > 0) this.choose(tool);
    else this.choose(null);
    return tool === null ? "Nothing is selected" : "Cancelled";
  }

  #selectNext(step: number): string | null {
    const shown = this.#listShown();
    if (shown.length === 0) return "There are no drawings";
    const at = shown.findIndex(({ id }) => id === this.#state.selected);
    const next = shown[(at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step + shown.length) % shown.length];
    if (next === undefined) return null;
    this.choose(null);
    this.select(next.id);
    return `${getKind(next.kind).title}, ${shown.indexOf(next) + 1} of ${shown.length}`;
  }

  #moveCursor(step: KeyStep): string | null {
    const surface = this.#attached?.surface;
    const from = this.#cursor ?? this.#points.at(-1) ?? surface?.readNewest() ?? null;
    if (surface === undefined || from === null) return null;
    this.#cursor = this.#cursor === null ? from : surface.step(from, step);
    this.#hasKeyCursor = true;
    this.#attached?.requestUpdate();
    return this.#describePoint(this.#cursor);
  }

  #placeByKey(): string | null {
    if (this.#cursor === null) return this.#moveCursor({ bars: 0, share: 0 });
    const { tool } = this.#state;
    this.#hasKeyCursor = true;
    const cursor = this.#cursor;
    this.#place();
    this.#hasReleased = true;
    if (this.#state.tool === null) return tool === null ? null : `${getKind(tool).title} drawn`;
    this.#cursor = cursor;
    return `Point ${this.#points.length} placed. ${this.#describePoint(cursor)}`;
  }

  #describePoint([, price]: DrawingPoint): string {
    return price.toFixed(this.#instrument.digits);
  }

  /** Opens the menu at the selected drawing, or at the newest price. */
  #openMenuByKey(): string | null {
    const surface = this.#attached?.surface;
    const frame = surface?.readFrame() ?? null;
    const drawing = this.find(this.#state.selected);
    const point = drawing?.points[0] ?? surface?.readNewest() ?? null;
    if (frame === null || point === null) return null;
    const { x, y } = toPlace(frame, point);
    const [left, top] = [Math.min(Math.max(x, 0), frame.width / 2), Math.min(Math.max(y, 0), frame.height - 120)];
    this.#change({ menu: { x: left, y: top, price: point[1], id: drawing?.id ?? null } });
    return "";
  }

  #nextPoint(drawing: KnownDrawing): string {
    const before = this.#state.point ?? -1;
    const point = before + 1 >= drawing.points.length || drawing.kind === "brush" ? null : before + 1;
    this.#change({ point });
    return point === null ? "All of the drawing" : `Point ${point + 1} of ${drawing.points.length}`;
  }

  #moveSelected(drawing: KnownDrawing, step: KeyStep): string {
    if (this.#state.areLocked || isLocked(drawing)) return "The drawing is locked";
    const { point } = this.#state;
    const move = (each: DrawingPoint) => this.#attached?.surface.step(each, step) ?? each;
    const moved =
      point === null
        ? { ...drawing, points: drawing.points.map(move) }
        : movePoint(drawing, point, move(drawing.points[point] as DrawingPoint));
    this.#put(moved);
    return this.#describePoint(moved.points[point ?? 0] as DrawingPoint);
  }
}

/** Drawings that were copied, also from the chart of another symbol. */
let clipboard: readonly Drawing[] = [];

function findStep(key: string, isShifted: boolean): KeyStep | null {
  const share = isShifted ? KEY_STEP.fine : KEY_STEP.usual;
  const bars = isShifted ? 10 : 1;
  if (key === "ArrowLeft") return { bars: -bars, share: 0 };
  if (key === "ArrowRight") return { bars, share: 0 };
  if (key === "ArrowUp") return { bars: 0, share };
  return key === "ArrowDown" ? { bars: 0, share: -share } : null;
}

/** Moves one point. The target and the stop of a position stay on their sides. */
function movePoint(drawing: KnownDrawing, index: number, to: DrawingPoint): KnownDrawing {
  const points = drawing.points.map((point, at) => (at === index ? to : point));
  return drawing.kind === "long-position" || drawing.kind === "short-position"
    ? { ...drawing, points: alignPosition(points, drawing.kind === "long-position", index) }
    : { ...drawing, points };
}
