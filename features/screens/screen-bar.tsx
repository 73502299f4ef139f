"use client";

import {
  AppWindow,
  ArrowDown,
  ArrowUp,
  Check,
  Copy,
  LayoutGrid,
  Link2,
  Move,
  Pencil,
  Plus,
  RotateCcw,
  Share2,
  Trash2,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { SaveState } from "@/components/shared/saver";
import { UtcClock } from "@/components/shared/utc-clock";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { announce } from "@/components/ui/announcer";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { MenuButton } from "@/components/ui/menu-button";
import { keepAt } from "@/components/ui/past-address";
import { PANEL_NAMES } from "@/features/screens/panel-names";
import { READY_SCREENS } from "@/features/screens/ready-screens";
import { layOutPanels, toShared, toSharedHref } from "@/features/screens/screen-changes";
import {
  type ChangeContent,
  deleteScreen,
  orderScreens,
  toCopyName,
  useNewScreen,
} from "@/features/screens/use-screen";
import { PANEL_KINDS, type PanelKind, SCREEN_LIMITS, type ScreenContent } from "@/lib/access/screens/screen";
import type { ScreenLine } from "@/lib/access/screens/screens";
import { TILING_LOOKS, type TilingLook } from "@/lib/access/screens/tiling";
import type { DataMode } from "@/lib/market/bar";

interface ScreenBarProps {
  screen: { readonly id: string | null };
  preview: "shared" | "ready" | null;
  screens: readonly ScreenLine[];
  name: string;
  content: ScreenContent;
  saveState: SaveState;
  modes: readonly DataMode[];
  isDated: boolean;
  isAlone: boolean;
  isPhone: boolean;
  isArranging: boolean;
  onArrange: () => void;
  onAdd: (kind: PanelKind) => void;
  onName: (name: string) => void;
  onContent: ChangeContent;
  /** Changes the content so that it can be taken back. */
  onReplace: (text: string, change: (content: ScreenContent) => ScreenContent) => void;
  /** Saves what waits, before the screen is left. */
  onLeave: () => Promise<boolean>;
  onRefresh: () => void;
}

const ITEM =
  "flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2 text-left hover:bg-hover disabled:opacity-60 max-md:min-h-10";
const ICON =
  "grid size-8 flex-none place-items-center rounded-md text-dim hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:text-accent-ink max-md:size-10";

/** The line above a screen: which one it is, and what can be done with it. */
export function ScreenBar(props: ScreenBarProps) {
  const { preview, name, content, saveState, modes, isDated, isPhone, isArranging, onArrange } = props;
  const [dialog, setDialog] = useState<"name" | "delete" | null>(null);
  const createNew = useNewScreen();
  return (
    <div
      data-page-header
      className="flex min-h-10 items-center gap-1 border-b border-line px-2 max-md:min-h-11 max-md:overflow-x-auto max-md:px-1"
    >
      <h1 className="sr-only">{name}</h1>
      <ScreensMenu {...props} onDialog={setDialog} />
      {preview === null ? (
        <SaveMark state={saveState} />
      ) : (
        <span className="flex items-center gap-2.5 pl-1.5 text-xs12 whitespace-nowrap text-note">
          {preview === "shared" ? "Shared, not yet yours" : "Not kept"}
          <Button size="sm" look="primary" onClick={() => void createNew({ name, content: toShared(content) })}>
            Copy to my screens
          </Button>
        </span>
      )}
      <div className="ml-auto flex items-center gap-0.5">
        <AddMenu content={content} onAdd={props.onAdd} />
        {!isPhone && <LayoutMenu {...props} />}
        <LinksMenu content={content} onContent={props.onContent} />
        {!isPhone && (
          <IconButton label="Arrange panels with the keyboard" isPressed={isArranging} onClick={onArrange}>
            <Move aria-hidden size={15} />
          </IconButton>
        )}
        <IconButton label="Copy a link to this screen" onClick={() => void share(name, content)}>
          <Share2 aria-hidden size={15} />
        </IconButton>
        {!isPhone && !props.isAlone && (
          <IconButton label="Open in a window of its own" onClick={() => openWindow(props.onLeave)}>
            <AppWindow aria-hidden size={15} />
          </IconButton>
        )}
      </div>
      <div className="flex items-center gap-2.5 pl-2 max-md:hidden">
        {modes.map((mode) => (
          <DataModeBadge key={mode} mode={mode} />
        ))}
        <UtcClock dated={isDated} />
      </div>
      <NameDialog
        key={name}
        isOpen={dialog === "name"}
        name={name}
        onName={props.onName}
        onClose={() => setDialog(null)}
      />
      <DeleteDialog {...props} isOpen={dialog === "delete"} onClose={() => setDialog(null)} />
    </div>
  );
}

interface IconButtonProps {
  label: string;
  isPressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, isPressed, onClick, children }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} aria-pressed={isPressed} onClick={onClick} className={ICON}>
      {children}
    </button>
  );
}

function SaveMark({ state }: { state: SaveState }) {
  if (state.kind === "failed") {
    return (
      <span role="alert" className="pl-1.5 text-xs12 text-down">
        {state.reason}
      </span>
    );
  }
  return (
    <span className="pl-1.5 text-xs12 text-faint" data-save-state={state.kind}>
      {state.kind === "saving" ? "Saving…" : ""}
    </span>
  );
}

async function share(name: string, content: ScreenContent): Promise<void> {
  const isCopied = await copyText(location.origin + (await toSharedHref({ name, content })));
  announce(
    isCopied ? "Link copied. It has the panels and symbols, and none of your lists" : "The browser forbids to copy",
  );
}

async function openWindow(onLeave: () => Promise<boolean>): Promise<void> {
  const href = keepAt(`${location.pathname}${location.search}`);
  const address = new URL(href, location.href);
  address.searchParams.set("window", "own");
  // At once, or the browser takes it for a window that no click opened.
  window.open(address, "_blank", "popup,width=1280,height=800");
  await onLeave();
}

interface ScreensMenuProps extends ScreenBarProps {
  onDialog: (dialog: "name" | "delete") => void;
}

/** The screens of the account, and what can be done with this one. */
function ScreensMenu({ screen, preview, screens: first, name, content, onDialog }: ScreensMenuProps) {
  const [screens, setScreens] = useState(first);
  const createNew = useNewScreen();
  const isOwn = preview === null;
  async function move(id: string, step: -1 | 1): Promise<void> {
    const ids = screens.map((each) => each.id);
    const at = ids.indexOf(id);
    const other = ids[at + step];
    if (other === undefined) return;
    ids[at] = other;
    ids[at + step] = id;
    setScreens(ids.flatMap((each) => screens.find((line) => line.id === each) ?? []));
    const answer = await orderScreens(ids);
    if (typeof answer === "string") announce(answer);
    else setScreens(answer.screens);
  }
  return (
    <MenuButton
      label={`Screen: ${name}`}
      className="inline-flex h-8 max-w-[16rem] min-w-0 items-center gap-1.5 rounded-md px-2 text-sm font-semibold hover:bg-hover max-md:h-10"
      panelClassName="w-72"
      panel={(close) => (
        <>
          {screens.length > 0 && (
            <ul aria-label="Your screens" className="border-b border-line p-1.5">
              {screens.map((line, at) => (
                <li key={line.id} className="group flex items-center">
                  <Link
                    href={`/screens/${line.id}`}
                    aria-current={line.id === screen.id ? "page" : undefined}
                    onClick={close}
                    className={ITEM}
                  >
                    <Check aria-hidden size={14} className={line.id === screen.id ? "text-accent-ink" : "invisible"} />
                    <span className="min-w-0 flex-1 truncate">{line.id === screen.id ? name : line.name}</span>
                  </Link>
                  <StepButton label={`Move ${line.name} up`} isOff={at === 0} onClick={() => void move(line.id, -1)}>
                    <ArrowUp aria-hidden size={13} />
                  </StepButton>
                  <StepButton
                    label={`Move ${line.name} down`}
                    isOff={at === screens.length - 1}
                    onClick={() => void move(line.id, 1)}
                  >
                    <ArrowDown aria-hidden size={13} />
                  </StepButton>
                </li>
              ))}
            </ul>
          )}
          {isOwn && (
            <div className="border-b border-line p-1.5">
              <Item Icon={Pencil} text="Rename…" onClick={() => (close(), onDialog("name"))} />
              <Item
                Icon={Copy}
                text="Duplicate"
                onClick={() => (close(), void createNew({ name: toCopyName(name), content }))}
              />
              <Item Icon={Trash2} text="Delete…" onClick={() => (close(), onDialog("delete"))} />
            </div>
          )}
          <div className="p-1.5">
            <p className="px-2 pt-1 pb-1 text-xs12 text-faint">New screen</p>
            {READY_SCREENS.map(({ slug, name: ready, text, content: made }) => (
              <button
                key={slug}
                type="button"
                onClick={() => (close(), void createNew({ name: ready, content: made }))}
                className={`${ITEM} py-1`}
              >
                <Plus aria-hidden size={14} className="flex-none text-faint" />
                <span className="min-w-0">
                  {ready}
                  <span className="block text-xs12 text-faint">{text}</span>
                </span>
              </button>
            ))}
            <Item
              Icon={Plus}
              text="Empty"
              onClick={() => (
                close(),
                void createNew({ name: "New screen", content: { panels: [], links: content.links } })
              )}
            />
            {screens.length >= SCREEN_LIMITS.screens && (
              <p className="px-2 py-1 text-xs12 text-warn">An account has at most {SCREEN_LIMITS.screens} screens.</p>
            )}
          </div>
        </>
      )}
    >
      <span className="truncate">{name}</span>
      <ChevronMark />
    </MenuButton>
  );
}

const ChevronMark = () => (
  <svg aria-hidden viewBox="0 0 10 6" width="9" height="6" fill="none" className="flex-none text-faint">
    <path d="m1 1 4 4 4-4" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

interface StepButtonProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  children: ReactNode;
}

function StepButton({ label, isOff, onClick, children }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
      className="grid size-7 flex-none place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink disabled:opacity-30 max-md:size-10"
    >
      {children}
    </button>
  );
}

function Item({ Icon, text, onClick }: { Icon: typeof Plus; text: string; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className={ITEM}>
      <Icon aria-hidden size={14} className="flex-none text-faint" />
      {text}
    </button>
  );
}

function AddMenu({ content, onAdd }: { content: ScreenContent; onAdd: (kind: PanelKind) => void }) {
  const isFull = content.panels.length >= SCREEN_LIMITS.panels;
  return (
    <MenuButton
      label="Add a panel"
      className={ICON}
      panelClassName="w-72 p-1.5"
      panel={(close) => (
        <>
          {PANEL_KINDS.map((kind) => {
            const { name, text, Icon } = PANEL_NAMES[kind];
            return (
              <button
                key={kind}
                type="button"
                disabled={isFull}
                onClick={() => (close(), onAdd(kind))}
                className={`${ITEM} py-1`}
              >
                <Icon aria-hidden size={15} strokeWidth={1.75} className="flex-none text-faint" />
                <span className="min-w-0">
                  {name}
                  <span className="block text-xs12 text-faint">{text}</span>
                </span>
              </button>
            );
          })}
          {isFull && (
            <p className="px-2 py-1 text-xs12 text-warn">A screen has at most {SCREEN_LIMITS.panels} panels.</p>
          )}
        </>
      )}
    >
      <Plus aria-hidden size={16} />
    </MenuButton>
  );
}

const LOOKS: Readonly<Record<TilingLook, string>> = {
  grid: "A grid",
  columns: "Side by side",
  rows: "One below the other",
  focus: "The first one large",
};

function LayoutMenu({ content, onReplace }: Pick<ScreenBarProps, "content" | "onReplace">) {
  return (
    <MenuButton
      label="Layout"
      className={ICON}
      panelClassName="w-64 p-1.5"
      panel={(close) => (
        <>
          <p className="px-2 pt-1 pb-1 text-xs12 text-faint">Lay the panels out as</p>
          {TILING_LOOKS.map((look) => (
            <button
              key={look}
              type="button"
              disabled={content.panels.length < 2}
              onClick={() => (close(), onReplace("Panels laid out anew", (before) => layOutPanels(before, look)))}
              className={ITEM}
            >
              <LookMark look={look} />
              {LOOKS[look]}
            </button>
          ))}
          <p className="mt-1 border-t border-line px-2 pt-2 pb-1 text-xs12 text-faint">Reset this screen to</p>
          {READY_SCREENS.map(({ slug, name, content: made }) => (
            <Item
              key={slug}
              Icon={RotateCcw}
              text={name}
              onClick={() => (close(), onReplace(`Screen reset to “${name}”`, () => made))}
            />
          ))}
        </>
      )}
    >
      <LayoutGrid aria-hidden size={15} />
    </MenuButton>
  );
}

const BOXES: Readonly<Record<TilingLook, readonly (readonly [number, number, number, number])[]>> = {
  grid: [
    [0, 0, 8, 6],
    [8, 0, 8, 6],
    [0, 6, 8, 6],
    [8, 6, 8, 6],
  ],
  columns: [
    [0, 0, 5, 12],
    [5, 0, 6, 12],
    [11, 0, 5, 12],
  ],
  rows: [
    [0, 0, 16, 4],
    [0, 4, 16, 4],
    [0, 8, 16, 4],
  ],
  focus: [
    [0, 0, 11, 12],
    [11, 0, 5, 6],
    [11, 6, 5, 6],
  ],
};

function LookMark({ look }: { look: TilingLook }) {
  return (
    <svg aria-hidden viewBox="-0.5 -0.5 17 13" width="17" height="13" className="flex-none text-faint">
      {BOXES[look].map(([x, y, width, height]) => (
        <rect key={`${x} ${y}`} {...{ x, y, width, height }} fill="none" stroke="currentColor" />
      ))}
    </svg>
  );
}

const SHARED = [
  ["symbol", "Symbol"],
  ["timeframe", "Timeframe of charts"],
  ["crosshair", "Time under the crosshair"],
] as const;

function LinksMenu({ content: { links }, onContent }: Pick<ScreenBarProps, "content" | "onContent">) {
  return (
    <MenuButton
      label="Links"
      className={ICON}
      panelClassName="w-64 p-3"
      panel={() => (
        <fieldset className="grid gap-2.5">
          <legend className="pb-2 text-xs12 text-faint">Panels of one colour share, also with other windows:</legend>
          {SHARED.map(([name, text]) => (
            <label key={name} className="flex gap-2">
              <input
                type="checkbox"
                className={CHECK_CLASS}
                checked={links[name]}
                onChange={({ target }) =>
                  onContent((before) => ({ ...before, links: { ...before.links, [name]: target.checked } }))
                }
              />
              {text}
            </label>
          ))}
        </fieldset>
      )}
    >
      <Link2 aria-hidden size={16} />
    </MenuButton>
  );
}

interface NameDialogProps {
  isOpen: boolean;
  name: string;
  onName: (name: string) => void;
  onClose: () => void;
}

function NameDialog({ isOpen, name: first, onName, onClose }: NameDialogProps) {
  const [name, setName] = useState(first);
  const isEmpty = name.trim() === "";
  return (
    <Dialog open={isOpen} title="Rename the screen" onDismiss={onClose}>
      <form
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isEmpty) return;
          onName(name.trim());
          onClose();
        }}
      >
        <TextField
          id="screen-name"
          label="Name"
          value={name}
          maxLength={SCREEN_LIMITS.name}
          autoComplete="off"
          error={isEmpty ? "Enter a name." : null}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={isEmpty}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  screen: { readonly id: string | null };
  name: string;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ screen: { id }, name, isOpen, onClose }: DeleteDialogProps) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  async function remove(): Promise<void> {
    if (id === null) return;
    const answer = await deleteScreen(id);
    if (typeof answer === "string") return setProblem(answer);
    onClose();
    announce(`Screen ${name} deleted`);
    router.push(keepAt(answer.screens[0] === undefined ? "/screens" : `/screens/${answer.screens[0].id}`));
  }
  return (
    <Dialog open={isOpen} title={`Delete “${name}”?`} onDismiss={onClose}>
      <p className="mt-2 text-dim">Its panels and their places are deleted, on all of your devices.</p>
      {problem !== null && (
        <p role="alert" className="mt-2 text-xs13 text-down">
          {problem}
        </p>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" onClick={() => void remove()}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
