"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from "react";
import type { Command } from "@/components/shell/commands/command";
import { listCommands } from "@/components/shell/commands/list-commands";
import { PaletteField } from "@/components/shell/commands/palette-field";
import { PaletteGroups } from "@/components/shell/commands/palette-groups";
import type { Audience } from "@/components/shell/pages";

const LIST = "command-list";

interface PaletteProps {
  audience: Audience;
  /** The symbol of the page. */
  symbol: string | null;
  onClose: () => void;
}

/** Finds symbols, pages and actions. A combobox whose list is always open, in a modal dialog. */
export default function Palette({ audience, symbol, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const [search, setSearch] = useState("");
  const [place, setPlace] = useState(0);
  const groups = listCommands(useDeferredValue(search), { audience, symbol });
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
    if (href !== undefined) router.push(href);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      setPlace((Math.min(place, commands.length - 1) + step + commands.length) % commands.length);
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
        {commands.length > 0 ? `${commands.length} results` : `Nothing matches “${search}”.`}
      </p>
    </dialog>
  );
}
