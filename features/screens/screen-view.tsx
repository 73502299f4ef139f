"use client";

import dynamic from "next/dynamic";
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { PanelLoading } from "@/components/shared/panel";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";
import { storeCookie } from "@/components/ui/cookie";
import { EmptyState } from "@/components/ui/empty-state";
import { ARRANGE_HELP, readArrangeKey } from "@/features/screens/arrange";
import type { PanelViewer } from "@/features/screens/panel-content";
import { describePanel, type PanelSteps } from "@/features/screens/panel-frame";
import { LAST_COOKIE } from "@/features/screens/ready-screens";
import { ScreenBar } from "@/features/screens/screen-bar";
import {
  addPanel,
  createPanelId,
  findAddProblem,
  placePanels,
  removePanel,
  setColour,
  splitPanel,
} from "@/features/screens/screen-changes";
import { ScreenSwipe } from "@/features/screens/screen-swipe";
import { useLinks } from "@/features/screens/use-links";
import { type ChangeContent, useScreen } from "@/features/screens/use-screen";
import type { PanelKind, Screen, ScreenContent } from "@/lib/access/screens/screen";
import type { ScreenLine } from "@/lib/access/screens/screens";
import type { Tile } from "@/lib/access/screens/tiling";
import type { DataMode } from "@/lib/market/bar";

import "@/features/screens/screens.css";

const ScreenGrid = dynamic(() => import("@/features/screens/screen-grid"), {
  ssr: false,
  loading: () => <PanelLoading what="the screen" />,
});

export interface ScreenViewProps {
  /** The id is null for a screen that is not kept: a shared one, or a ready-made one. */
  screen: Omit<Screen, "id"> & { readonly id: string | null };
  /** Why it is not kept; null for one of the account's own. */
  preview: "shared" | "ready" | null;
  screens: readonly ScreenLine[];
  viewer: PanelViewer;
  modes: readonly DataMode[];
  /** Whether the market's clock shows its date. */
  isDated: boolean;
  /** Whether the screen has a window of its own. */
  isAlone: boolean;
}

/** One screen: its line, and its panels. */
export function ScreenView({ screen, preview, screens, viewer, modes, isDated, isAlone }: ScreenViewProps) {
  const { value, change, saveState, refresh, flush } = useScreen(screen);
  const { name, content } = value;
  const changeContent: ChangeContent = (next) =>
    change((before) => {
      const after = next(before.content);
      return after === before.content ? before : { ...before, content: after };
    });
  const links = useLinks(content, changeContent);
  const [maximised, setMaximised] = useState<string | null>(null);
  const arranging = useArranging(content, changeContent);
  const [undo, setUndo] = useState<Undo | null>(null);
  const isPhone = useIsPhone();
  const { room, ref } = useRoom();
  useEffect(() => {
    if (screen.id !== null) storeCookie(LAST_COOKIE, screen.id, "/screens");
  }, [screen.id]);

  function replace(text: string, next: (content: ScreenContent) => ScreenContent): void {
    setUndo({ text, content });
    changeContent(next);
  }

  function add(kind: PanelKind): void {
    const problem = findAddProblem(content, kind);
    if (problem !== null) return announce(problem);
    const id = createPanelId();
    changeContent((before) => addPanel(before, kind, id));
    if (isPhone) announce("Added as the last panel");
  }

  const steps: PanelSteps = {
    onColour: (id, colour) => changeContent((before) => setColour(before, id, colour)),
    onSplit(id, side) {
      const added = createPanelId();
      const split = splitPanel(content, id, added, side);
      if (split === content) announce("There is no room: make the panel larger, or remove one.");
      else changeContent((before) => splitPanel(before, id, added, side));
    },
    onRemove(id) {
      setMaximised(null);
      replace("Panel removed", (before) => removePanel(before, id));
    },
    onMaximise: (id) => setMaximised((before) => (before === id ? null : id)),
  };
  const { panels } = content;

  return (
    <div data-own-window={isAlone || undefined} className="screen">
      <ScreenBar
        {...{ screen, preview, screens, name, content, saveState, modes, isDated, isAlone, isPhone }}
        isArranging={arranging.isOn}
        onArrange={arranging.toggle}
        onAdd={add}
        onName={(next) => change((before) => ({ ...before, name: next }))}
        onContent={changeContent}
        onReplace={replace}
        onLeave={flush}
        onRefresh={refresh}
      />
      {undo !== null && (
        <UndoLine
          {...undo}
          onClose={() => setUndo(null)}
          onUndo={() => {
            changeContent(() => undo.content);
            setUndo(null);
          }}
        />
      )}
      {arranging.isOn && (
        <p id={ARRANGE_HELP} className="border-b border-line bg-panel px-3 py-1 text-xs12 text-dim">
          Tab chooses a panel. Arrow keys change its place, with Alt they move it beyond the next one, and with Shift
          they size it. Enter keeps the arrangement, Escape cancels it.
        </p>
      )}
      <p role="status" className="sr-only">
        {arranging.said}
      </p>
      <div
        ref={ref}
        className="screen-room"
        style={{ height: room?.height ?? "70dvh" }}
        onKeyDown={arranging.isOn ? arranging.onKeyDown : undefined}
      >
        {panels.length === 0 ? (
          <div className="h-full bg-bg">
            <EmptyState
              art="screen"
              title="An empty screen"
              action={<Button onClick={() => add("chart")}>Add a chart</Button>}
            >
              Add charts, quotes, the calendar and other panels, and arrange them as you like.
            </EmptyState>
          </div>
        ) : (
          room !== null &&
          (isPhone ? (
            <ScreenSwipe {...{ panels, links, steps, viewer }} height={room.height} />
          ) : (
            <ScreenGrid
              {...{ panels, links, steps, viewer, maximised }}
              {...room}
              isArranging={arranging.isOn}
              arranged={arranging.focused}
              onArranged={arranging.onFocus}
              onTiles={(tiles) => changeContent((before) => placePanels(before, tiles))}
            />
          ))
        )}
      </div>
    </div>
  );
}

interface Undo {
  readonly text: string;
  /** The content before. */
  readonly content: ScreenContent;
}

const UNDO_MS = 10_000;

/** Offers to take back what was just done. */
function UndoLine({ text, content, onUndo, onClose }: Undo & { onUndo: () => void; onClose: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onClose, UNDO_MS);
    return () => clearTimeout(timer);
    // Counted from the change, not from every price.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [content]);
  return (
    <div role="status" className="flex items-center gap-3 border-b border-line bg-panel px-3 py-1 text-xs13">
      {text}
      <Button size="sm" onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}

/** The mode in which the keyboard arranges panels. */
function useArranging(content: ScreenContent, change: ChangeContent) {
  const [before, setBefore] = useState<ScreenContent | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const isOn = before !== null;

  function end(text: string): void {
    setBefore(null);
    setFocused(null);
    setSaid(text);
  }

  function toggle(): void {
    if (isOn) return end("Arrangement kept");
    setBefore(content);
    setFocused(content.panels[0]?.id ?? null);
    setSaid("Arranging panels");
  }

  function onKeyDown(event: KeyboardEvent): void {
    const getTitle = (id: string) => {
      const panel = content.panels.find((each) => each.id === id);
      return panel === undefined ? "Panel" : describePanel(panel);
    };
    if (event.key === "Escape" && before !== null) {
      const tiles: readonly Tile[] = before.panels;
      change((now) => placePanels(now, tiles));
      end("Arrangement cancelled");
    } else if (event.key === "Enter") end("Arrangement kept");
    else {
      const step = focused === null ? null : readArrangeKey(event, content.panels, focused, getTitle);
      if (step === null) return;
      change((now) => placePanels(now, step.tiles));
      setSaid(step.said);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return { isOn, focused, said, toggle, onKeyDown, onFocus: setFocused };
}

const PHONE = "(max-width: 47.99rem)";

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(PHONE);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => matchMedia(PHONE).matches,
    () => false,
  );
}

const LEAST_HEIGHT = 320;

/** The room for panels: what is left of the window below the lines above them. */
function useRoom() {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => {
      const { top } = element.getBoundingClientRect();
      const bar = document.querySelector("[data-frame] > nav");
      const below = bar !== null && getComputedStyle(bar).display !== "none" ? bar.clientHeight : 0;
      const height = Math.max(LEAST_HEIGHT, Math.floor(innerHeight - (top + scrollY) - below));
      const width = element.clientWidth;
      setRoom((before) => (before?.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // Lines above the panels come and go.
    if (element.parentElement !== null) observer.observe(element.parentElement);
    observer.observe(document.body);
    addEventListener("resize", measure);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return { room, ref };
}
