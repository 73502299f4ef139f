"use client";

import type { ReactNode } from "react";

interface ChoiceTabsProps<Choice extends string> {
  label: string;
  /** The form field that carries the choice where there is no script. */
  name: string;
  choices: readonly Choice[];
  /** The one that is pressed, or those that are. */
  chosen: Choice | readonly Choice[];
  onChoose: (choice: Choice) => void;
  /** What a choice is called, where that is not its own name. */
  textOf?: (choice: Choice) => ReactNode;
}

/** A row of buttons of which one is pressed, or some are. Within a form that is sent by get, it works without a script too. */
export function ChoiceTabs<Choice extends string>(props: ChoiceTabsProps<Choice>) {
  const { label, name, choices, chosen, onChoose, textOf = String } = props;
  return (
    <div role="group" aria-label={label} className="board-tabs">
      {choices.map((choice) => (
        <button
          key={choice}
          name={name}
          value={choice}
          aria-pressed={typeof chosen === "string" ? choice === chosen : chosen.includes(choice)}
          onClick={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
          className="board-tab"
        >
          {textOf(choice)}
        </button>
      ))}
    </div>
  );
}
