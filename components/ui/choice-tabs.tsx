"use client";

interface ChoiceTabsProps<Choice extends string> {
  label: string;
  /** The form field that carries the choice where there is no script. */
  name: string;
  choices: readonly Choice[];
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  /** What a choice is called, where that is not its own name. */
  textOf?: (choice: Choice) => string;
}

/** A row of buttons of which one is pressed. Within a form that is sent by get, it works without a script too. */
export function ChoiceTabs<Choice extends string>(props: ChoiceTabsProps<Choice>) {
  const { label, name, choices, chosen, onChoose, textOf = String } = props;
  return (
    <div role="group" aria-label={label} className="board-tabs">
      {choices.map((choice) => (
        <button
          key={choice}
          name={name}
          value={choice}
          aria-pressed={choice === chosen}
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
