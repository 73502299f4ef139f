"use client";

import { LoaderCircle } from "lucide-react";
import { useLinkStatus } from "next/link";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

const LIST_CLASS = "flex min-w-0 overflow-x-auto [scrollbar-width:none]";
/** On a phone the tabs have a line of their own, up to the edges of the screen. */
const PHONE_CLASS = "max-md:order-3 max-md:-mx-3 max-md:flex-[1_0_100%] max-md:px-3";
const CHOSEN = "bg-raised text-ink shadow-[inset_0_0_0_1px_var(--line)]";

function getTabClass(isChosen: boolean): string {
  const colour = isChosen ? CHOSEN : "text-dim hover:text-ink";
  return `h-8 flex-none rounded-md px-2.5 text-xs13 whitespace-nowrap focus-visible:-outline-offset-2 max-md:h-9 ${colour}`;
}

interface ChoiceTabsProps<Choice extends string> {
  label: string;
  /** The form field that carries the choice when there is no script. Without one, the tabs need a script. */
  name?: string;
  choices: readonly Choice[];
  /** The chosen value, or all chosen values. */
  chosen: Choice | readonly Choice[];
  onChoose: (choice: Choice) => void;
  /** Formats a choice. By default the choice is its text, which is a code that a browser must not translate. */
  format?: (choice: Choice) => ReactNode;
  /** Replaces the classes of the row on a phone, where it is a line of its own. */
  phoneClassName?: string;
}

/** A row of buttons, one or several of them pressed. In a form that is sent by GET they also work without a script. */
export function ChoiceTabs<Choice extends string>(props: ChoiceTabsProps<Choice>) {
  const { label, name, choices, chosen, onChoose, format, phoneClassName = PHONE_CLASS } = props;
  return (
    <div role="group" aria-label={label} className={`${LIST_CLASS} ${phoneClassName}`}>
      {choices.map((choice) => {
        const isChosen = typeof chosen === "string" ? choice === chosen : chosen.includes(choice);
        return (
          <button
            key={choice}
            type={name === undefined ? "button" : "submit"}
            name={name}
            value={name === undefined ? undefined : choice}
            aria-pressed={isChosen}
            translate={format === undefined ? "no" : undefined}
            onClick={(event) => {
              event.preventDefault();
              onChoose(choice);
            }}
            className={getTabClass(isChosen)}
          >
            {format === undefined ? choice : format(choice)}
          </button>
        );
      })}
    </div>
  );
}

interface LinkTab {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}

/** A row of links to views of the same page, the current one marked. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  return (
    <nav aria-label={label} className={`${LIST_CLASS} ${PHONE_CLASS}`}>
      {tabs.map(({ href, text, isCurrent }) => (
        <Link
          key={href}
          href={href}
          scroll={false}
          aria-current={isCurrent ? "true" : undefined}
          className={`inline-flex items-center gap-1.5 ${getTabClass(isCurrent)}`}
        >
          {text}
          <Pending />
        </Link>
      ))}
    </nav>
  );
}

function Pending() {
  const { pending } = useLinkStatus();
  return pending && <LoaderCircle aria-hidden size={12} className="animate-spin text-accent-ink" />;
}
