"use client";

import { ChevronDown, Star } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import {
  countHits,
  noteOpened,
  type OwnSymbols,
  type SymbolHit,
  type SymbolHits,
  toggleStar,
  useOwnSymbols,
  useSymbolHits,
} from "@/components/shared/symbol-hits";
import { Figure } from "@/components/ui/figure";
import type { Category } from "@/lib/market/instrument";

interface SymbolSelectProps {
  /** The chosen symbol; empty for none. */
  value: string;
  /** Its name, if it is known. */
  title?: string;
  onChange: (symbol: string) => void;
  label?: string;
  /** The name of the field in its form, which sends what is written if there are no scripts. */
  field?: string;
  id?: string;
  placeholder?: string;
  /** Classes of the box, such as its width. */
  className?: string;
  /** As high as the fields of a form, not of a toolbar. */
  isTall?: boolean;
  /** The element with the error; null without one. */
  errorId?: string | null;
  /** What is written at first. Then other text stays in the field and is sent with its form, which finds its symbol. */
  written?: string;
}

const EDGE = 12;
const NONE = -1;

/**
 * Chooses one symbol of a catalog of thousands: an editable combobox that searches on the server while the visitor types,
 * in any spelling. Enter takes the closest one; Escape, and leaving the field, bring the chosen one back.
 */
export function SymbolSelect(props: SymbolSelectProps) {
  const { value, title, label = "Symbol", field = "symbol", placeholder, className = "w-64", isTall } = props;
  const { errorId = null, written } = props;
  const isFree = written !== undefined;
  const id = useId();
  const listId = `${id}-list`;
  const { input, text, isOpen, known, activeId, handlers, choose, ...found } = useChoice(props, listId);
  const { onType, ...events } = handlers;
  const name = known?.symbol === value ? known.name : title;
  return (
    <div className={`relative min-w-0 ${className}`}>
      <input
        ref={input}
        id={props.id}
        name={field}
        role="combobox"
        aria-label={props.id === undefined ? label : undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-describedby={errorId ?? (name === undefined ? undefined : `${id}-name`)}
        aria-invalid={errorId !== null || undefined}
        required={isFree || undefined}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        placeholder={placeholder}
        value={text ?? value}
        onChange={({ target }) => onType(target.value)}
        onFocus={({ target }) => target.select()}
        {...events}
        className={`w-full truncate rounded-md border border-edge bg-raised pr-7 pl-2.5 text-ink placeholder:text-faint hover:border-dim aria-invalid:border-down ${isTall ? "h-10" : "h-8 text-xs13 max-md:h-10"} max-md:text-base`}
      />
      {text === null && value !== "" && (
        <span
          id={`${id}-name`}
          style={{ maxWidth: `calc(100% - ${(value.length * 1.3 + 5).toFixed(1)}ch)` }}
          className="pointer-events-none absolute inset-y-0 right-7 my-auto h-fit truncate text-xs13 text-dim"
        >
          {name}
        </span>
      )}
      {!isFree && (
        <ChevronDown
          aria-hidden
          size={14}
          className="pointer-events-none absolute inset-y-0 right-2 my-auto text-faint"
        />
      )}
      {isOpen && <HitList id={listId} label={label} activeId={activeId} onChoose={choose} {...found} />}
    </div>
  );
}

/** The state of the combobox, and what its keys do. */
function useChoice({ value, onChange, written }: SymbolSelectProps, listId: string) {
  const isFree = written !== undefined;
  const input = useRef<HTMLInputElement>(null);
  /** What is typed; null while the chosen symbol is shown. */
  const [text, setText] = useState<string | null>(written || null);
  const [isOpen, setIsOpen] = useState(false);
  const [place, setPlace] = useState(NONE);
  const [known, setKnown] = useState<SymbolHit | null>(null);
  const { data, isCurrent, isOffline, find } = useSymbolHits(text ?? "", isOpen);
  const own = useOwnSymbols();
  const groups = groupHits(data, (text ?? "").trim() === "" ? own : null);
  const options = groups.flatMap(({ hits }) => hits);
  const active = isOpen ? options[Math.min(place, options.length - 1)] : undefined;

  function close(): void {
    setIsOpen(false);
    setPlace(NONE);
  }

  function choose(hit: SymbolHit): void {
    close();
    setText(null);
    setKnown(hit);
    noteOpened(hit);
    if (hit.symbol !== value) onChange(hit.symbol);
  }

  /** Takes the closest one if Enter came before the answer to the last key. */
  async function takeClosest(typed: string): Promise<void> {
    const [closest] = (await find(typed))?.hits ?? [];
    if (input.current?.value !== typed || document.activeElement !== input.current) return;
    if (closest !== undefined) choose(closest);
    else if (isFree) input.current.form?.requestSubmit();
  }

  const activeId = active && toOptionId(listId, active.symbol);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && !isOpen) setIsOpen(true);
    else if (step !== undefined && options.length > 0) {
      const at = Math.min(place, options.length - 1);
      setPlace(at === NONE ? (step === 1 ? 0 : options.length - 1) : (at + step + options.length) % options.length);
    } else if (event.key === "Enter") {
      if (isOpen && text !== null && !isCurrent) void takeClosest(text);
      else if (active !== undefined) choose(active);
      else if (isFree) return;
    } else if (event.key === "Escape" && isOpen) leave();
    else return;
    // A form is not sent, and a dialog not closed.
    event.preventDefault();
    event.stopPropagation();
  }

  function onType(typed: string): void {
    // A draft that is filled in again.
    if (document.activeElement !== input.current) return onChange(typed);
    setText(typed);
    setIsOpen(true);
    setPlace(typed.trim() === "" ? NONE : 0);
  }

  function leave(): void {
    close();
    if (!isFree) setText(null);
  }

  function onLeave(): void {
    const [closest] = options;
    // A symbol that is written out needs no Enter.
    if (!isFree && isCurrent && closest !== undefined && closest.symbol === text?.trim().toUpperCase()) choose(closest);
    else leave();
  }

  return {
    ...{ input, text, isOpen, known, groups, data, isOffline, activeId, choose },
    search: isCurrent ? (text ?? "") : null,
    handlers: { onType, onKeyDown, onClick: () => setIsOpen(true), onBlur: onLeave },
  };
}

const toOptionId = (listId: string, symbol: string): string => `${listId}-${symbol}`;

interface HitGroup {
  readonly id: string;
  readonly title: string;
  /** How many there are of the category; undefined for the visitor's own. */
  readonly count: number | undefined;
  readonly hits: readonly SymbolHit[];
}

/**
 * The hits by category, after those that the visitor has starred or opened last, each once. The closest one is the first of
 * the first.
 */
function groupHits(data: SymbolHits | undefined, own: OwnSymbols | null): HitGroup[] {
  const groups: HitGroup[] = [];
  const shown = new Set<string>();
  const add = (id: string, title: string, count: number | undefined, hits: readonly SymbolHit[]) => {
    const added = hits.filter(({ symbol }) => !shown.has(symbol));
    for (const { symbol } of added) shown.add(symbol);
    if (added.length > 0) groups.push({ id, title, count, hits: added });
  };
  add("starred", "Starred", undefined, own?.starred ?? []);
  add("recent", "Recent", undefined, own?.recent ?? []);
  const byCategory = new Map<Category, SymbolHit[]>();
  for (const hit of data?.hits ?? []) byCategory.set(hit.category, [...(byCategory.get(hit.category) ?? []), hit]);
  for (const [category, hits] of byCategory) {
    const title = category.charAt(0).toUpperCase() + category.slice(1);
    add(category, title, data?.counts[category], hits);
  }
  return groups;
}

/** A button that stars a symbol, so that it comes first in every list of symbols. */
export function StarButton({ hit }: { hit: SymbolHit }) {
  const isStarred = useOwnSymbols().starred.some(({ symbol }) => symbol === hit.symbol);
  return (
    <button
      type="button"
      aria-pressed={isStarred}
      aria-label={`Star ${hit.symbol}`}
      title={isStarred ? `Remove the star of ${hit.symbol}` : `Star ${hit.symbol}`}
      onClick={() => toggleStar(hit)}
      className="grid size-8 flex-none place-items-center rounded-md text-faint hover:text-ink aria-pressed:text-accent-ink max-md:size-10"
    >
      <Star aria-hidden size={15} fill={isStarred ? "currentColor" : "none"} />
    </button>
  );
}

interface HitListProps {
  id: string;
  label: string;
  groups: readonly HitGroup[];
  data: SymbolHits | undefined;
  isOffline: boolean;
  /** The text that `data` is found for; null while another one is searched for. */
  search: string | null;
  activeId: string | undefined;
  onChoose: (hit: SymbolHit) => void;
}

function HitList({ id, label, groups, data, isOffline, search, activeId, onChoose }: HitListProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { right = 0 } = box.current?.getBoundingClientRect() ?? {};
    if (box.current !== null) box.current.style.left = `${Math.min(0, innerWidth - EDGE - right)}px`;
  }, []);
  return (
    <div
      ref={box}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      className="absolute top-full left-0 z-20 mt-1 w-96 max-w-[calc(100vw-1.5rem)] overflow-hidden rounded-lg border border-line bg-raised text-left text-xs13 shadow-float"
    >
      <div id={id} role="listbox" aria-label={label} className="max-h-[min(24rem,45dvh)] overflow-y-auto empty:hidden">
        {groups.map(({ id: group, title, count, hits }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`} className="p-1 not-last:pb-0">
            <p id={`${id}-${group}`} className="flex justify-between px-2 pt-1 pb-0.5 text-2xs text-faint">
              {title}
              <Figure>{count}</Figure>
            </p>
            {hits.map((hit) => (
              <div
                key={hit.symbol}
                id={toOptionId(id, hit.symbol)}
                role="option"
                aria-selected={toOptionId(id, hit.symbol) === activeId}
                onClick={() => onChoose(hit)}
                className="flex h-8 cursor-pointer items-center gap-3 rounded-md px-2 hover:bg-hover aria-selected:bg-line aria-selected:shadow-[inset_2px_0_0_var(--accent)] max-md:h-11"
              >
                <span className="max-w-[60%] flex-none truncate">{hit.symbol}</span>
                <span className="ml-auto min-w-0 truncate text-xs12 text-dim">{hit.name}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="border-t border-line px-3 py-2 text-xs12 text-dim first:border-t-0">
        {describeHits(data, search, isOffline)}
      </p>
    </div>
  );
}

function describeHits(data: SymbolHits | undefined, search: string | null, isOffline: boolean): string {
  if (isOffline) return "Symbols cannot be searched now. Trying again.";
  if (data === undefined || search === null) return "Searching";
  const [shown, total] = [data.hits.length, countHits(data)];
  if (total === 0) return `No symbol matches “${search.trim()}”.`;
  if (search.trim() === "") return `${total} symbols. Type to search them.`;
  return shown < total ? `The closest ${shown} of ${total}. Type more to find others.` : `${total} found`;
}
