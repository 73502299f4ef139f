"use client";

import { useState } from "react";
import { type Audience, listPageGroups } from "@/components/shell/pages";
import { areSingleKeysOn, switchSingleKeys } from "@/components/shell/shortcuts";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

const EVERYWHERE = [
  { keys: ["Ctrl", "K"], text: "Search symbols, pages and actions" },
  { keys: ["T"], text: "Go to a past second" },
  { keys: ["?"], text: "This list" },
] as const;

const IN_THE_PAST = [
  { keys: ["←", "→"], text: "One second back or on" },
  { keys: ["Shift", "← →"], text: "One minute back or on" },
  { keys: ["Space"], text: "Play or pause" },
  { keys: ["Esc"], text: "Pause, then back to live" },
] as const;

const ON_PAGES = [
  { keys: ["/"], text: "Search on the board" },
  { keys: ["↑", "↓"], text: "Next or previous row of the board" },
  { keys: ["Esc"], text: "Close a dialog" },
  { keys: ["← →", "↑ ↓"], text: "Move a panel while a screen is arranged" },
  { keys: ["Shift", "← →"], text: "Size a panel while a screen is arranged" },
] as const;

interface ShortcutHelpProps {
  audience: Audience;
  onClose: () => void;
}

/** Lists the keyboard shortcuts, and switches off those of single keys. */
export default function ShortcutHelp({ audience, onClose }: ShortcutHelpProps) {
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  const pages = listPageGroups(audience)
    .flatMap((group) => group.pages)
    .flatMap(({ goKey, label }) => (goKey === undefined ? [] : [{ keys: ["G", goKey.toUpperCase()], text: label }]));
  return (
    <Dialog open wide title="Keyboard shortcuts" onDismiss={onClose}>
      <div className="mt-4 grid grid-cols-2 gap-x-10 gap-y-5 text-xs13 max-md:grid-cols-1">
        <div className="grid content-start gap-5">
          <Shortcuts title="Everywhere" shortcuts={EVERYWHERE} />
          <Shortcuts title="On a page" shortcuts={ON_PAGES} />
          <Shortcuts title="On the bar of the past" shortcuts={IN_THE_PAST} />
        </div>
        <Shortcuts title="Go to a page" shortcuts={pages} />
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <label className="flex items-center gap-2.5 text-xs13">
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => {
              switchSingleKeys(event.target.checked);
              setIsOn(event.target.checked);
            }}
            className={CHECK_CLASS}
          />
          Use ?, T and G as shortcuts in this browser
        </label>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface ShortcutsProps {
  title: string;
  shortcuts: readonly { readonly keys: readonly string[]; readonly text: string }[];
}

function Shortcuts({ title, shortcuts }: ShortcutsProps) {
  return (
    <section aria-label={title}>
      <h3 className="pb-1 text-xs12 text-faint">{title}</h3>
      <dl>
        {shortcuts.map(({ keys, text }) => (
          <div key={text} className="flex items-center justify-between gap-4 border-t border-line py-1.5">
            <dt>{text}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  translate="no"
                  className="min-w-6 rounded-sm border border-edge px-1.5 text-center font-mono text-xs12"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
