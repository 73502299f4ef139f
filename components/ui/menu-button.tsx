"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";

const GAP = 6;
const EDGE = 8;

interface MenuButtonProps {
  /** The button's text. */
  children: ReactNode;
  /** Read in place of the text, if the text alone says too little. */
  label?: string;
  /** The panel, which is rendered from its first opening on. `close` hides it. */
  panel: (close: () => void) => ReactNode;
  /** Classes of the panel, such as its width. */
  panelClassName: string;
  /** Without a border, beside tabs. */
  isQuiet?: boolean;
  /** Classes of a button that looks otherwise, without an arrow. */
  className?: string;
}

/** A button in a toolbar that opens a panel below it. Escape and a click elsewhere close it. */
export function MenuButton(props: MenuButtonProps) {
  const { children, label, panel, panelClassName, isQuiet = false, className } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [wasOpened, setWasOpened] = useState(false);

  function open(): void {
    setWasOpened(true);
    const [anchor, element] = [button.current?.getBoundingClientRect(), box.current];
    if (anchor === undefined || element === null) return;
    const left = Math.max(EDGE, Math.min(anchor.left, innerWidth - element.offsetWidth - EDGE));
    element.style.left = `${left}px`;
    element.style.top = `${anchor.bottom + GAP}px`;
    element.style.maxHeight = `${Math.max(160, innerHeight - anchor.bottom - GAP - EDGE)}px`;
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={label}
        className={
          className ??
          `inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2.5 text-xs13 whitespace-nowrap max-md:h-10 ${isQuiet ? "text-dim hover:text-ink" : "border border-edge bg-raised hover:border-dim"}`
        }
      >
        {children}
        {className === undefined && <ChevronDown aria-hidden size={14} className="flex-none text-faint" />}
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        onToggle={(event) => event.newState === "open" && open()}
        className={`m-0 overflow-y-auto rounded-lg border border-line bg-raised p-0 text-left text-xs13 shadow-float ${panelClassName}`}
      >
        {wasOpened && panel(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  );
}
