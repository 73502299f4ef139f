import {
  ChevronRight,
  Eye,
  EyeOff,
  Lock,
  LockOpen,
  Magnet,
  MousePointer2,
  PencilLine,
  Redo2,
  Shapes,
  Undo2,
} from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import type { DeskState, DrawingDesk } from "@/features/symbols/drawings/drawing-desk";
import type { DrawingState, DrawingStore } from "@/features/symbols/drawings/drawing-store";
import { getKind, GROUPS, type Kind } from "@/features/symbols/drawings/kinds";

export interface ToolProps {
  desk: DrawingDesk;
  state: DeskState;
  store: DrawingStore;
  drawn: DrawingState;
  /** Opens the list of all drawings. */
  onList: () => void;
  /** Called after a tool was chosen by a key, so that the keys of the chart work. */
  onTool: () => void;
}

/** The picture of a kind. */
export function KindIcon({ kind, size = 20 }: { kind: Kind; size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.3}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={getKind(kind).icon} />
    </svg>
  );
}

/** "Alt+T". */
const formatKey = (kind: Kind): string => `Alt+${getKind(kind).key?.replace("Key", "") ?? ""}`;

/** The tools in a slim column beside the chart. */
export function ToolBar(props: ToolProps) {
  const { desk, state } = props;
  return (
    <div role="group" aria-label="Drawing tools" className="grid justify-items-center gap-0.5 py-1.5">
      <BarButton label="Select" hint="Esc" isOn={state.tool === null} onClick={() => desk.choose(null)}>
        <MousePointer2 aria-hidden size={16} />
      </BarButton>
      {GROUPS.map(({ title, kinds }) => (
        <ToolGroup key={title} title={title} kinds={kinds} {...props} />
      ))}
      <span aria-hidden className="my-1 h-px w-8 bg-line" />
      <Switches {...props} />
    </div>
  );
}

interface BarButtonProps {
  label: string;
  /** Its key. */
  hint?: string;
  isOn?: boolean;
  isOff?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function BarButton({ label, hint, isOn, isOff = false, onClick, children }: BarButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={hint?.startsWith("Alt+") ? hint : undefined}
      title={hint === undefined ? label : `${label} (${hint})`}
      aria-pressed={isOn}
      disabled={isOff}
      onClick={onClick}
      className="grid size-8 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 disabled:opacity-40 aria-pressed:bg-raised aria-pressed:text-accent-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--line)] max-md:size-11"
    >
      {children}
    </button>
  );
}

/** One button with the tool of the group that was used last, and the others in a menu beside it. */
function ToolGroup({ title, kinds, desk, state, onTool }: ToolProps & { title: string; kinds: readonly Kind[] }) {
  const id = useId();
  const anchor = `--tools-${id.replaceAll(/\W/g, "")}`;
  const menu = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState(kinds[0] as Kind);
  const chosen = kinds.find((kind) => kind === state.tool);
  if (chosen !== undefined && chosen !== last) setLast(chosen);

  function choose(kind: Kind): void {
    menu.current?.hidePopover();
    desk.choose(kind);
    onTool();
  }

  return (
    <div className="relative flex w-full justify-center" style={{ anchorName: anchor }}>
      <BarButton
        label={getKind(last).title}
        hint={formatKey(last)}
        isOn={chosen !== undefined}
        onClick={() => (state.tool === last ? desk.choose(null) : choose(last))}
      >
        <KindIcon kind={last} />
      </BarButton>
      {kinds.length > 1 && (
        <>
          <button
            type="button"
            aria-label={`All ${title.toLowerCase()}`}
            title={title}
            popoverTarget={id}
            className="absolute right-0 grid h-8 w-2.5 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink focus-visible:-outline-offset-2"
          >
            <ChevronRight aria-hidden size={10} />
          </button>
          <div
            ref={menu}
            id={id}
            popover="auto"
            style={{ positionAnchor: anchor }}
            className="inset-auto top-[anchor(top)] left-[anchor(right)] m-0 ml-1 w-60 gap-0.5 rounded-lg border border-line bg-raised p-1.5 text-xs13 shadow-float [position-try-fallbacks:flip-block] open:grid"
          >
            <p className="px-2 pt-0.5 pb-1 text-xs12 text-faint">{title}</p>
            {kinds.map((kind) => (
              <button
                key={kind}
                type="button"
                aria-pressed={state.tool === kind}
                onClick={() => choose(kind)}
                className="flex h-8 items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:text-accent-ink"
              >
                <KindIcon kind={kind} />
                <span className="flex-1">{getKind(kind).title}</span>
                <kbd className="font-mono text-xs12 text-faint">{formatKey(kind)}</kbd>
              </button>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** What concerns all drawings. */
function Switches({ desk, state, store, drawn, onList }: ToolProps) {
  return (
    <>
      <BarButton
        label="Magnet: points at open, high, low or close"
        isOn={state.isMagnetic}
        onClick={() => desk.toggle("isMagnetic")}
      >
        <Magnet aria-hidden size={16} />
      </BarButton>
      <BarButton label="Lock all drawings" isOn={state.areLocked} onClick={() => desk.toggle("areLocked")}>
        {state.areLocked ? <Lock aria-hidden size={16} /> : <LockOpen aria-hidden size={16} />}
      </BarButton>
      <BarButton label="Hide all drawings" isOn={state.areHidden} onClick={() => desk.toggle("areHidden")}>
        {state.areHidden ? <EyeOff aria-hidden size={16} /> : <Eye aria-hidden size={16} />}
      </BarButton>
      <BarButton label="Undo" hint="Ctrl+Z" isOff={!drawn.canUndo} onClick={() => store.undo()}>
        <Undo2 aria-hidden size={16} />
      </BarButton>
      <BarButton label="Redo" hint="Ctrl+Y" isOff={!drawn.canRedo} onClick={() => store.redo()}>
        <Redo2 aria-hidden size={16} />
      </BarButton>
      <BarButton label="All drawings" onClick={onList}>
        <Shapes aria-hidden size={16} />
      </BarButton>
    </>
  );
}

/** On a phone, one button on the chart opens a sheet with the same tools. */
export function ToolSheet({ isFree, ...tools }: ToolProps & { isFree: boolean }) {
  const { desk, state } = tools;
  const sheet = useRef<HTMLDialogElement>(null);
  const close = () => sheet.current?.close();
  return (
    <div className="md:hidden">
      {isFree && state.tool === null && (
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => sheet.current?.showModal()}
          className="absolute bottom-9 left-2 z-3 inline-flex h-10 items-center gap-1.5 rounded-full border border-edge bg-raised px-3.5 text-xs13 shadow-float"
        >
          <PencilLine aria-hidden size={15} />
          Draw
        </button>
      )}
      <dialog
        ref={sheet}
        aria-label="Drawing tools"
        onClick={(event) => event.target === sheet.current && close()}
        className="mx-0 mt-auto mb-0 max-h-[85dvh] w-full max-w-none overflow-y-auto rounded-t-xl border-t border-line bg-panel p-0 text-sm text-ink shadow-float backdrop:bg-[#05060699]"
      >
        <div className="grid gap-3 p-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))]">
          <div className="flex items-center justify-between">
            <h2 className="font-semibold">Draw</h2>
            <button type="button" onClick={close} className="h-9 rounded-md px-3 text-dim hover:text-ink">
              Close
            </button>
          </div>
          {GROUPS.map(({ title, kinds }) => (
            <div key={title} className="grid grid-cols-2 gap-1">
              {kinds.map((kind) => (
                <button
                  key={kind}
                  type="button"
                  onClick={() => {
                    close();
                    desk.choose(kind);
                  }}
                  className="flex h-11 items-center gap-2.5 rounded-md border border-line px-2.5 text-left text-xs13"
                >
                  <KindIcon kind={kind} />
                  {getKind(kind).title}
                </button>
              ))}
            </div>
          ))}
          <div className="flex flex-wrap justify-between border-t border-line pt-2">
            <Switches
              {...tools}
              onList={() => {
                close();
                tools.onList();
              }}
            />
          </div>
        </div>
      </dialog>
    </div>
  );
}
