"use client";

import {
  AlarmClock,
  ChartCandlestick,
  Contrast,
  History,
  Keyboard,
  KeyRound,
  type LucideIcon,
  Monitor,
  Moon,
  Palette,
  Search,
  Sun,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import {
  countHits,
  noteOpened,
  type OwnSymbols,
  type SymbolHit,
  type SymbolHits,
  useOwnSymbols,
  useSymbolHits,
} from "@/components/shared/symbol-hits";
import { getPageIcon } from "@/components/shell/page-icons";
import { type Audience, listPageGroups, type PageLink } from "@/components/shell/pages";
import { showCommandDialog, withSymbol } from "@/components/shell/shortcuts";
import { keepAt } from "@/components/ui/past-address";
import { choosePalette, chooseTheme } from "@/components/ui/theme-switch";

const LIST = "command-list";

interface PaletteProps {
  audience: Audience;
  /** The symbol of the page. */
  symbol: string | null;
  onClose: () => void;
}

/** Finds symbols, pages and actions. A combobox whose list is always open, in a modal dialog. */
export default function CommandPalette({ audience, symbol, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const [search, setSearch] = useState("");
  const [place, setPlace] = useState(0);
  const isSearching = search.trim() !== "";
  const { data, isCurrent, isOffline, find } = useSymbolHits(search, isSearching);
  const own = useOwnSymbols();
  const groups = listCommands(search, { audience, symbol, found: isSearching ? data : undefined, own });
  const commands = groups.flatMap((group) => group.commands);
  const active = commands[Math.min(place, commands.length - 1)];

  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const activeId = active?.id;
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  function follow({ href, run }: Command): void {
    // Closed first, so that the focus returns before the command moves it.
    dialog.current?.close();
    run?.();
    if (href !== undefined) router.push(keepAt(href));
  }

  /** Follows the first command if Enter came before the answer to the last key. */
  async function followFirst(): Promise<void> {
    const found = (await find(search)) ?? undefined;
    const [first] = listCommands(search, { audience, symbol, found })[0]?.commands ?? [];
    if (first !== undefined && dialog.current?.open === true) follow(first);
  }

  const isAnswered = isCurrent || isOffline;

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      setPlace((Math.min(place, commands.length - 1) + step + commands.length) % commands.length);
    } else if (event.key === "Enter" && isSearching && !isAnswered) {
      void followFirst();
    } else if (event.key === "Enter" && active !== undefined) {
      follow(active);
    } else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      dialog.current?.close();
    } else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      aria-label="Search symbols, pages and actions"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
      className="mx-auto mt-[12vh] mb-auto w-[calc(100vw-1.5rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-raised p-0 text-left text-sm shadow-float backdrop:bg-[#05060699] max-md:mt-3"
    >
      <PaletteField
        listId={LIST}
        activeId={activeId}
        search={search}
        onSearch={(text) => {
          setSearch(text);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
        onClose={() => dialog.current?.close()}
      />
      <PaletteGroups
        id={LIST}
        groups={groups}
        activeId={activeId}
        onFollow={follow}
        onPoint={(command) => setPlace(commands.indexOf(command))}
      />
      <p role="status" className={commands.length > 0 ? "sr-only" : "px-4 py-6 text-center text-dim"}>
        {describeResults(commands.length, search, { isAnswered, isOffline })}
      </p>
    </dialog>
  );
}

function describeResults(
  count: number,
  search: string,
  { isAnswered, isOffline }: { isAnswered: boolean; isOffline: boolean },
): string {
  if (count > 0) return `${count} results`;
  if (isOffline) return "Symbols cannot be searched now. Trying again.";
  return isAnswered ? `Nothing matches “${search}”.` : "Searching";
}

interface PaletteFieldProps {
  listId: string;
  activeId: string | undefined;
  search: string;
  onSearch: (search: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
}

/** The field of the palette, and the button that closes it. */
function PaletteField({ listId, activeId, search, onSearch, onKeyDown, onClose }: PaletteFieldProps) {
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search aria-hidden size={16} strokeWidth={1.75} className="flex-none text-faint" />
      <input
        autoFocus
        role="combobox"
        aria-label="Search symbols, pages and actions"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        placeholder="Symbol, page or action"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full bg-transparent text-base outline-none placeholder:text-faint"
      />
      <button
        type="button"
        onClick={onClose}
        className="flex-none rounded-sm border border-line px-1.5 text-2xs text-faint hover:text-ink max-md:px-2.5 max-md:py-2"
      >
        Esc<span className="sr-only">: close</span>
      </button>
    </div>
  );
}

interface PaletteGroupsProps {
  id: string;
  groups: readonly CommandGroup[];
  activeId: string | undefined;
  onFollow: (command: Command) => void;
  /** The pointer is over a command. */
  onPoint: (command: Command) => void;
}

/** The list of the palette. The focus stays in its field, which names the active option. */
function PaletteGroups({ id, groups, activeId, onFollow, onPoint }: PaletteGroupsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      className={`max-h-[min(26rem,60dvh)] overflow-y-auto ${groups.length > 0 ? "p-1.5" : ""}`}
    >
      {groups.map(({ name, commands }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} className="px-2.5 pt-2 pb-1 text-2xs text-faint">
            {name}
          </p>
          {commands.map((command) => (
            <Option
              key={command.id}
              command={command}
              isActive={command.id === activeId}
              onFollow={onFollow}
              onPoint={onPoint}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps extends Pick<PaletteGroupsProps, "onFollow" | "onPoint"> {
  command: Command;
  isActive: boolean;
}

function Option({ command, isActive, onFollow, onPoint }: OptionProps) {
  const { id, label, note, Icon } = command;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={() => onFollow(command)}
      onPointerMove={() => {
        if (!isActive) onPoint(command);
      }}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-dim aria-selected:bg-line aria-selected:text-ink aria-selected:shadow-[inset_2px_0_0_var(--accent)] max-md:h-11"
    >
      <Icon aria-hidden size={15} strokeWidth={1.75} className="flex-none text-faint" />
      <span className="flex-none text-ink">{label}</span>
      {note !== undefined && <span className="ml-auto min-w-0 truncate text-xs12 text-dim">{note}</span>}
    </div>
  );
}

const MOST_SYMBOLS = 7;
const NOTHING: SymbolHits = { hits: [], counts: {} };
const SYMBOL_PAGES = [
  ["/symbols", "Chart"],
  ["/spreads", "Spread"],
  ["/ticks", "Ticks & bars"],
  ["/data-quality", "Data quality"],
  ["/indicators", "Indicators"],
  ["/sessions", "Usual hours"],
] as const;

interface Context {
  readonly audience: Audience;
  /** The symbol of the page. */
  readonly symbol: string | null;
  /** The symbols that the search finds; undefined before the answer. */
  readonly found: SymbolHits | undefined;
  readonly own?: OwnSymbols;
}

/** Lists the commands that a search finds; without a search, those of the page's symbol, all pages and all actions. */
export function listCommands(search: string, { audience, symbol, found = NOTHING, own }: Context): CommandGroup[] {
  const pages = listPageGroups(audience)
    .flatMap((group) => group.pages)
    .map((page) => toPageCommand(page, symbol));
  if (search.trim() === "") {
    const ofPage = symbol === null ? [] : [{ name: symbol, commands: listSymbolPages(symbol) }];
    const opened = new Map([...(own?.starred ?? []), ...(own?.recent ?? [])].map((hit) => [hit.symbol, hit]));
    opened.delete(symbol ?? "");
    const ofVisitor = [...opened.values()].slice(0, MOST_SYMBOLS).map(toSymbolCommand);
    const symbols = ofVisitor.length === 0 ? [] : [{ name: "Starred and recent", commands: ofVisitor }];
    return [...ofPage, ...symbols, { name: "Pages", commands: pages }, { name: "Actions", commands: ACTIONS }];
  }
  const matches = createMatch(search);
  const only = countHits(found) === 1 ? found.hits[0] : undefined;
  const groups = [
    { name: "Symbols", commands: found.hits.slice(0, MOST_SYMBOLS).map(toSymbolCommand) },
    ...(only === undefined ? [] : [{ name: only.symbol, commands: listSymbolPages(only.symbol).slice(1) }]),
    { name: "Pages", commands: pages.filter(matches) },
    { name: "Actions", commands: ACTIONS.filter(matches) },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

function toPageCommand({ href, label, goKey }: PageLink, symbol: string | null): Command {
  const note = goKey === undefined ? undefined : `G ${goKey.toUpperCase()}`;
  return { id: `page-${href}`, label, note, Icon: getPageIcon({ href }), href: withSymbol(href, symbol) };
}

function toSymbolCommand(hit: SymbolHit): Command {
  const { symbol, name } = hit;
  return {
    ...{ id: `symbol-${symbol}`, label: symbol, note: name, Icon: ChartCandlestick, href: `/symbols/${symbol}` },
    run: () => noteOpened(hit),
  };
}

/** The pages that show a symbol, the chart first. */
function listSymbolPages(symbol: string): Command[] {
  const pages = SYMBOL_PAGES.map(([path, name]) => ({
    ...{ id: `${symbol}-${path}`, label: `${name} of ${symbol}` },
    ...{ Icon: getPageIcon({ href: path }), href: withSymbol(path, symbol) },
  }));
  return pages.concat({
    id: `${symbol}-alert`,
    label: `Create alert on ${symbol}`,
    Icon: AlarmClock,
    href: `/alerts?kind=price&symbol=${symbol}`,
  });
}

function createMatch(search: string): (command: Command) => boolean {
  const words = search.toLowerCase().trim().split(/\s+/);
  return ({ label, words: others = "" }) => {
    const text = `${label} ${others}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** The commands that are no page and no symbol. */
const ACTIONS: readonly Command[] = [
  {
    id: "create-alert",
    label: "Create alert",
    Icon: AlarmClock,
    href: "/alerts?kind=price",
    words: "new price notification webhook",
  },
  { id: "create-key", label: "Create key", Icon: KeyRound, href: "/keys/new", words: "new api secret" },
  { id: "dark", label: "Dark theme", Icon: Moon, run: () => chooseTheme("dark") },
  { id: "light", label: "Light theme", Icon: Sun, run: () => chooseTheme("light") },
  { id: "system", label: "Theme of the device", Icon: Monitor, run: () => chooseTheme("system"), words: "system" },
  {
    id: "blue-orange",
    label: "Blue and orange prices",
    Icon: Contrast,
    run: () => choosePalette("blue-orange"),
    words: "colour blind palette",
  },
  {
    id: "green-red",
    label: "Green and red prices",
    Icon: Palette,
    run: () => choosePalette("green-red"),
    words: "colour palette",
  },
  {
    id: "past",
    label: "Go to a past second",
    note: "T",
    Icon: History,
    run: () => showCommandDialog("past"),
    words: "time replay history as of",
  },
  { id: "help", label: "Keyboard shortcuts", note: "?", Icon: Keyboard, run: () => showCommandDialog("help") },
];

interface Command {
  readonly id: string;
  readonly label: string;
  /** A word beside the label: the name of an instrument, or the keys of a page. */
  readonly note?: string | undefined;
  readonly Icon: LucideIcon;
  /** Where it leads, or what it does. */
  readonly href?: string;
  readonly run?: () => void;
  /** Other words that find it. */
  readonly words?: string;
}

interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}
