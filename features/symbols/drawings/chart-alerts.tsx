import { BellOff, BellPlus, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { followTopic } from "@/components/shared/live/follow-topic";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { announce } from "@/components/ui/announcer";
import { Link } from "@/components/ui/link";
import { useShownAt } from "@/components/ui/past";
import type { DeskMenu, DrawingDesk } from "@/features/symbols/drawings/drawing-desk";
import type { DrawingStore } from "@/features/symbols/drawings/drawing-store";
import type { KeepState } from "@/features/symbols/drawings/keep-drawings";
import type { KnownDrawing } from "@/features/symbols/drawings/kinds";
import type { ChartAlert, SymbolInstrument } from "@/features/symbols/types";
import type { Drawing } from "@/lib/access/drawing";
import { DEMO_ID } from "@/lib/access/id";
import { formatPrice, roundPrice } from "@/lib/market/price";
import { getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

/** The alerts on the price of the symbol, as lines on its chart that can be dragged, and the menu that creates them. */

/** What can be done with the alerts of a chart. */
export interface ChartAlerts {
  /** Changes an alert; without an id it creates one, and without a level it deletes it. */
  readonly change: (id: string | null, level: number | null) => Promise<void>;
  /** Creates an alert on a drawn line. */
  readonly watch: (drawing: Drawing) => Promise<void>;
}

/** An alert as the desk draws and moves it. It is not stored as a drawing. Only levels are moved. */
const toLine = ({ id, name, kind, points, price }: ChartAlert): KnownDrawing => ({
  ...{ id, kind, points: kind === "horizontal-line" ? [[Date.now(), points[0]?.[1] ?? 0]] : points },
  ...{ colour: "orange", dash: "dashed", isAlert: true, ...(kind === "horizontal-line" ? {} : { isLocked: true }) },
  text: `Alert: ${price} ${name.includes(" crosses ") ? "" : name}`.trim(),
});

export const isAlert = ({ isAlert: value }: Drawing): boolean => value === true;

const WATCHABLE = new Set(["trend-line", "ray", "extended-line", "horizontal-line"]);
/** Whether a drawing is a line that can have an alert. */
export const isWatchable = (drawing: Drawing): boolean => WATCHABLE.has(drawing.kind) && !isAlert(drawing);

/** Whether a trend line is over, so that its alert is on what would follow. */
const isOver = ({ kind, points }: Drawing, nowMs: number): boolean =>
  kind === "trend-line" && Math.max(...points.map(([ms]) => ms)) <= nowMs;

function describeWatch(drawing: Drawing): string {
  return isOver(drawing, Date.now()) ? "Alert when its extension is crossed" : "Alert when crossed";
}

interface AlertedChart {
  desk: DrawingDesk;
  store: DrawingStore;
  instrument: SymbolInstrument;
  /** What the lines are straight on. */
  timeframe: Timeframe;
  scale: "linear" | "log";
  /** Whether the drawings are stored: alerts on lines have followed them then. */
  keepState: KeepState;
  /** Saves what waits. */
  save: () => Promise<void>;
}

/** Shows the alerts on the chart. Visitors of the demo and pages of the past have none. Returns what changes them. */
export function useChartAlerts({ desk, store, instrument, keepState, ...chart }: AlertedChart): ChartAlerts | null {
  const { symbol, digits } = instrument;
  const owner = useContext(PageOwnerContext);
  const isOff = useShownAt() !== null || owner === DEMO_ID;
  const path = `/symbols/${encodeURIComponent(symbol)}/alerts`;
  const shown = useRef<readonly ChartAlert[]>([]);

  const show = useCallback(() => {
    const drawn = shown.current.filter(({ drawing }) => drawing !== null);
    const own = shown.current.filter(({ drawing }) => drawing === null);
    const watched = drawn.map(({ id, drawing, kind }) => [drawing ?? "", { id, isEndless: kind === "ray" }] as const);
    desk.setAlerts(own.map(toLine), new Map(watched));
  }, [desk]);

  const send = useCallback(
    async (change: object, done: string) => {
      const body = JSON.stringify(change);
      const answer = await exchange(path, { method: "PUT", headers: { "Content-Type": "application/json" }, body });
      if (!("error" in answer)) shown.current = answer.alerts;
      // After a failure the line goes back to its level.
      show();
      announce("error" in answer ? answer.error : done);
    },
    [path, show],
  );

  const change = useCallback<ChartAlerts["change"]>(
    (id, level) => {
      const wanted = level === null ? null : roundPrice(level, digits);
      const text = wanted === null ? "" : formatPrice(wanted, digits);
      const done =
        wanted === null ? "Alert deleted" : id === null ? `Alert at ${text} created` : `Alert moved to ${text}`;
      return send({ id, level: wanted }, done);
    },
    [send, digits],
  );

  async function watch(drawing: Drawing): Promise<void> {
    const { timeframe, scale, save } = chart;
    const isExtended = isOver(drawing, Date.now());
    await save();
    const minutes = getUsualBarMs(timeframe) < MINUTE_MS ? "M1" : timeframe;
    await send({ id: null, drawing: drawing.id, timeframe: minutes, scale, isExtended }, "Alert on the line created");
  }

  const load = useCallback(async () => {
    const answer = await exchange(path, { cache: "no-store" });
    if ("error" in answer) return;
    shown.current = answer.alerts;
    show();
  }, [path, show]);

  useEffect(() => {
    if (isOff) return;
    desk.listenToAlerts((id, level) => void change(id, level));
    void load();
    const onVisibility = () => !document.hidden && void load();
    document.addEventListener("visibilitychange", onVisibility);
    let known: string | undefined;
    const unfollow = followTopic(owner, {
      topic: "alerts",
      onMessage(message) {
        const newest = (message as { firings: readonly { id: string }[] }).firings[0]?.id;
        if (newest === undefined) return;
        if (known !== newest) void load();
        known = newest;
      },
    });
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      unfollow();
      desk.setAlerts([], new Map());
    };
  }, [desk, owner, isOff, change, load]);

  // The alerts on lines follow the drawings once these are stored.
  useEffect(() => {
    if (!isOff && keepState.kind === "kept" && shown.current.some(({ drawing }) => drawing !== null)) void load();
  }, [keepState, isOff, load]);
  useEffect(() => {
    let before = store.get().drawings;
    return store.subscribe(() => {
      const { drawings } = store.get();
      const isGone = before.some(({ id }) => desk.findWatch(id) !== null && store.find(id) === undefined);
      before = drawings;
      if (isGone) announce("The line is deleted, and its alert with it");
    });
  }, [desk, store]);
  return isOff ? null : { change, watch };
}

async function exchange(
  path: string,
  init: RequestInit,
): Promise<{ readonly alerts: readonly ChartAlert[] } | { readonly error: string }> {
  try {
    const answer = await fetch(path, init);
    const content = (await answer.json()) as { alerts?: ChartAlert[]; error?: string };
    if (answer.ok && content.alerts !== undefined) return { alerts: content.alerts };
    return { error: content.error ?? "The alert could not be saved." };
  } catch {
    return { error: "The server cannot be reached." };
  }
}

/** What can be done with the selected alert. */
export function AlertBar({
  alert,
  digits,
  onChange,
}: {
  alert: Drawing;
  digits: number;
  onChange: ChartAlerts["change"];
}) {
  return (
    <div
      role="group"
      aria-label="Selected: alert"
      className="absolute top-9 right-20 z-3 flex items-center gap-1 rounded-lg border border-line bg-raised p-1 pl-2.5 text-xs12 shadow-float max-md:top-auto max-md:right-2 max-md:bottom-9"
    >
      {alert.kind === "horizontal-line"
        ? `Alert at ${formatPrice(alert.points[0]?.[1] ?? 0, digits)}`
        : "Alert on a line"}
      <Link
        href={`/alerts?edit=${alert.id}`}
        className="inline-flex h-7 items-center rounded-md px-2 text-dim hover:bg-hover hover:text-ink"
      >
        Edit…
      </Link>
      <button
        type="button"
        aria-label="Delete the alert"
        title="Delete"
        onClick={() => void onChange(alert.id, null)}
        className="grid size-7 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink"
      >
        <Trash2 aria-hidden size={14} />
      </button>
    </div>
  );
}

interface ChartMenuProps {
  menu: DeskMenu;
  desk: DrawingDesk;
  store: DrawingStore;
  digits: number;
  /** Null where there are no alerts. */
  alerts: ChartAlerts | null;
}

/** The alert of the selected line: created, edited or deleted. */
export function WatchButtons({ drawing, desk, alerts }: { drawing: Drawing; desk: DrawingDesk; alerts: ChartAlerts }) {
  const watch = desk.findWatch(drawing.id);
  const className = "grid size-7 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink max-md:size-9";
  if (watch === null) {
    const label = describeWatch(drawing);
    return (
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => void alerts.watch(drawing)}
        className={className}
      >
        <BellPlus aria-hidden size={14} />
      </button>
    );
  }
  return (
    <>
      <Link href={`/alerts?edit=${watch.id}`} aria-label="Edit its alert" title="Edit its alert" className={className}>
        <Pencil aria-hidden size={14} />
      </Link>
      <button
        type="button"
        aria-label="Delete its alert"
        title="Delete its alert"
        onClick={() => void alerts.change(watch.id, null)}
        className={`${className} text-accent-ink`}
      >
        <BellOff aria-hidden size={14} />
      </button>
    </>
  );
}

/** The menu at a place of the chart: an alert at its price, and what can be done with the drawing there. */
export function ChartMenu({ menu, desk, store, digits, alerts }: ChartMenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isLeft, setIsLeft] = useState(false);
  const drawing = desk.find(menu.id);
  const isLevel = drawing?.kind === "horizontal-line";
  const price = isLevel ? (drawing.points[0]?.[1] ?? menu.price) : menu.price;
  const watch = desk.findWatch(menu.id);
  const isLine = drawing !== undefined && isWatchable(drawing);
  useEffect(() => {
    const element = box.current;
    const frame = element?.closest<HTMLElement>("[data-chart]");
    if (element === null || frame === null || frame === undefined) return;
    setIsLeft(menu.x + element.offsetWidth > frame.clientWidth);
    element.querySelector("button")?.focus();
    const onOutside = (event: Event) => !element.contains(event.target as Node) && desk.closeMenu();
    document.addEventListener("pointerdown", onOutside, { capture: true });
    return () => document.removeEventListener("pointerdown", onOutside, { capture: true });
  }, [desk, menu]);

  const run = (work: () => void) => () => {
    const frame = box.current?.closest<HTMLElement>("[data-chart]");
    desk.closeMenu();
    work();
    frame?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={box}
      role="menu"
      aria-label={`At ${formatPrice(price, digits)}`}
      onKeyDown={(event) => moveFocus(event, () => run(() => {})())}
      style={{ left: menu.x, top: menu.y, translate: isLeft ? "-100% 0" : undefined }}
      className="absolute z-4 grid w-max min-w-52 gap-0.5 rounded-lg border border-line bg-raised p-1.5 text-xs13 shadow-float"
    >
      {alerts !== null && !isLine && (drawing === undefined || !isAlert(drawing)) && (
        <MenuItem onClick={run(() => void alerts.change(null, price))}>
          <BellPlus aria-hidden size={15} />
          Alert when {formatPrice(price, digits)} is crossed
        </MenuItem>
      )}
      {alerts !== null && isLine && watch === null && (
        <MenuItem onClick={run(() => void alerts.watch(drawing))}>
          <BellPlus aria-hidden size={15} />
          {isLevel ? `Alert when ${formatPrice(price, digits)} is crossed` : describeWatch(drawing)}
        </MenuItem>
      )}
      {alerts !== null && isLine && watch !== null && (
        <MenuItem onClick={run(() => void alerts.change(watch.id, null))}>
          <BellOff aria-hidden size={15} />
          Delete its alert
        </MenuItem>
      )}
      {drawing === undefined && (
        <MenuItem onClick={run(() => desk.drawLevel(price))}>Horizontal line at {formatPrice(price, digits)}</MenuItem>
      )}
      {drawing !== undefined && !isAlert(drawing) && (
        <>
          <MenuItem onClick={run(() => desk.paste([drawing]))}>Duplicate</MenuItem>
          <MenuItem onClick={run(() => store.remove([drawing.id]))}>Delete</MenuItem>
        </>
      )}
      {drawing !== undefined && isAlert(drawing) && alerts !== null && (
        <MenuItem onClick={run(() => void alerts.change(drawing.id, null))}>Delete the alert</MenuItem>
      )}
    </div>
  );
}

function MenuItem({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      role="menuitem"
      onClick={onClick}
      className="flex h-8 items-center gap-2 rounded-md px-2 text-left whitespace-nowrap hover:bg-hover focus-visible:-outline-offset-2 max-md:h-10"
    >
      {children}
    </button>
  );
}

function moveFocus(event: React.KeyboardEvent<HTMLDivElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll("button")];
  const at = items.findIndex((item) => item === document.activeElement);
  event.stopPropagation();
  if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
  else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
  else if (event.key === "Escape" || event.key === "Tab") close();
  else return;
  event.preventDefault();
}
