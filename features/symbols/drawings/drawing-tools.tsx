"use client";

import {
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { createPortal } from "react-dom";
import { followTopic } from "@/components/shared/live/follow-topic";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { announce } from "@/components/ui/announcer";
import { readChartColours } from "@/features/symbols/chart-colours";
import {
  AlertBar,
  ChartMenu,
  isAlert,
  isWatchable,
  useChartAlerts,
  WatchButtons,
} from "@/features/symbols/drawings/chart-alerts";
import { DrawingDesk } from "@/features/symbols/drawings/drawing-desk";
import { DrawingList } from "@/features/symbols/drawings/drawing-list";
import { DrawingStore } from "@/features/symbols/drawings/drawing-store";
import { keepDrawings, type KeepState } from "@/features/symbols/drawings/keep-drawings";
import { getKind, isKnown } from "@/features/symbols/drawings/kinds";
import { StyleBar } from "@/features/symbols/drawings/style-bar";
import { ToolBar, ToolSheet } from "@/features/symbols/drawings/tool-bar";
import type { Scene } from "@/features/symbols/scene";
import type { SymbolInstrument } from "@/features/symbols/types";
import type { Bars } from "@/features/symbols/use-bars";
import { DEMO_ID } from "@/lib/access/id";

interface DrawingToolsProps {
  instrument: SymbolInstrument;
  bars: Bars;
  scene: Scene | null;
  /** How its prices are spaced. */
  scale: "linear" | "log";
  /** The element of the chart, which has the focus while its keys work. */
  frame: HTMLElement | null;
}

/** The tools beside a chart, and what they show on it. */
export function DrawingTools({ instrument, bars, scene, scale, frame }: DrawingToolsProps) {
  const [store] = useState(() => new DrawingStore());
  const [desk] = useState(() => new DrawingDesk(store, instrument));
  const state = useSyncExternalStore(desk.subscribe, desk.get, desk.get);
  const drawn = useSyncExternalStore(store.subscribe, store.get, store.get);
  const [isListing, setIsListing] = useState(false);
  const [spoken, setSpoken] = useState("");
  const bar = useRef<HTMLDivElement>(null);
  const { keepState, save } = useKeptDrawings(store, instrument.symbol);
  useAttachedChart({ desk, scene, bars });
  useOlderBars({ desk, bars, drawings: drawn.drawings, scene });
  useDrawingKeys({ desk, frame, bar, onSpoken: setSpoken });

  const timeframe = bars.loaded?.source.timeframe ?? "H1";
  const alerts = useChartAlerts({ desk, store, instrument, keepState, save, timeframe, scale });

  const selected = desk.find(state.selected);
  const tools = { desk, state, store, drawn, onList: () => setIsListing(true), onTool: () => frame?.focus() };
  return (
    <>
      <div
        ref={bar}
        className="w-13 flex-none overflow-y-auto border-r border-line max-md:hidden in-data-panel-body:hidden"
      >
        <ToolBar {...tools} />
      </div>
      {frame !== null &&
        createPortal(
          <>
            {state.menu !== null && (
              <ChartMenu menu={state.menu} digits={instrument.digits} {...{ desk, store, alerts }} />
            )}
            {selected !== undefined && isAlert(selected) && alerts !== null && (
              <AlertBar alert={selected} digits={instrument.digits} onChange={alerts.change} />
            )}
            {selected !== undefined && isKnown(selected) && !isAlert(selected) && (
              <StyleBar key={selected.id} drawing={selected} {...{ desk, state, store }}>
                {alerts !== null && isWatchable(selected) && <WatchButtons drawing={selected} {...{ desk, alerts }} />}
              </StyleBar>
            )}
            <ToolSheet {...tools} isFree={selected === undefined} />
            {state.tool !== null && (
              <Hint>
                {getKind(state.tool).title}
                <span className="text-dim">
                  {getKind(state.tool).points === 0
                    ? "draw with the pointer"
                    : getKind(state.tool).points > 1
                      ? `point ${state.placed + 1} of ${getKind(state.tool).points}`
                      : "choose its place"}
                </span>
                <button
                  type="button"
                  onClick={() => desk.choose(null)}
                  className="pointer-events-auto -my-1 h-7 rounded-sm px-1.5 text-dim hover:bg-hover hover:text-ink"
                >
                  Cancel
                </button>
              </Hint>
            )}
            {keepState.kind === "failed" && (
              <p
                role="alert"
                className="absolute bottom-9 left-1/2 z-3 w-max max-w-[calc(100%-1rem)] -translate-x-1/2 rounded-md border border-down bg-raised px-2.5 py-1 text-xs12"
              >
                {keepState.reason}
              </p>
            )}
          </>,
          frame,
        )}
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <DrawingList
        isOpen={isListing}
        onClose={() => setIsListing(false)}
        {...{ desk, store, instrument }}
        drawings={drawn.drawings}
      />
    </>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <p className="pointer-events-none absolute bottom-9 left-1/2 z-3 flex w-max -translate-x-1/2 items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs12 shadow-float">
      {children}
    </p>
  );
}

/** Keeps the drawings with the account, or in the browser of a visitor. */
function useKeptDrawings(store: DrawingStore, symbol: string): { keepState: KeepState; save: () => Promise<void> } {
  const owner = useContext(PageOwnerContext);
  const [state, setState] = useState<KeepState>({ kind: "kept" });
  const keeper = useRef<ReturnType<typeof keepDrawings> | null>(null);
  useEffect(() => {
    const created = keepDrawings(store, {
      symbol,
      account: owner === DEMO_ID ? null : owner,
      onState: setState,
      onCopies: (count) =>
        announce(
          `Another device changed ${count === 1 ? "a drawing" : `${count} drawings`} that you changed. Both are kept.`,
        ),
    });
    keeper.current = created;
    let known: string | undefined;
    const unfollow =
      owner === DEMO_ID
        ? () => {}
        : followTopic(owner, {
            topic: `drawings/${symbol}`,
            onMessage(message) {
              const { stamp } = message as { stamp: string };
              if (known !== undefined && stamp !== known) void created.refresh();
              known = stamp;
            },
          });
    return () => {
      unfollow();
      created.stop();
    };
  }, [store, symbol, owner]);
  const save = useCallback(async () => keeper.current?.refresh(), []);
  return { keepState: state, save };
}

/** Draws on the chart while there is one. */
function useAttachedChart({ desk, scene, bars }: { desk: DrawingDesk; scene: Scene | null; bars: Bars }): void {
  const timeframe = bars.loaded?.source.timeframe;
  const readBars = useEffectEvent(() => bars.loaded?.store.bars ?? []);
  useEffect(() => {
    if (scene === null || timeframe === undefined) return;
    const colours = readChartColours(scene.chart.chartElement());
    return desk.attach({ scene, timeframe, colours, getBars: () => readBars() });
  }, [desk, scene, timeframe]);
}

/** Loads the bars that lines from before the loaded ones need for their slope. */
function useOlderBars(input: {
  desk: DrawingDesk;
  bars: Bars;
  drawings: readonly object[];
  scene: Scene | null;
}): void {
  const { desk, bars, drawings, scene } = input;
  const load = useEffectEvent(() => {
    const neededMs = desk.findNeededMs();
    if (neededMs < Infinity && bars.loaded?.store.hasOlder === true) bars.loadOlder(neededMs);
  });
  const revision = bars.loaded?.revision;
  useEffect(() => {
    // After the chart has its bars.
    const timer = setTimeout(() => load(), 200);
    return () => clearTimeout(timer);
  }, [desk, drawings, scene, revision]);
}

interface DrawingKeys {
  desk: DrawingDesk;
  frame: HTMLElement | null;
  bar: { readonly current: HTMLElement | null };
  onSpoken: (text: string) => void;
}

/** Passes keys to the desk: all that are pressed on the chart, and those with Alt or Control where nothing is typed. */
function useDrawingKeys({ desk, frame, bar, onSpoken }: DrawingKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target, altKey, ctrlKey, metaKey, key } = event;
    if (!(target instanceof HTMLElement) || frame === null) return;
    const isHere = target === frame;
    const isBeside = target === document.body || bar.current?.contains(target) === true;
    const isShortcut = altKey || ctrlKey || metaKey || key === "Escape" || key === "Delete";
    if (!isHere && !(isBeside && isShortcut)) return;
    const answer = desk.press(event);
    if (answer === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isHere) frame.focus({ preventScroll: true });
    onSpoken(answer);
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}
