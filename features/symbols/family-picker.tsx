import { type FormEvent, useId, useState } from "react";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FIELD_CLASS } from "@/components/ui/search-box";
import { toIndicatorLook } from "@/features/symbols/indicator-look";
import type { IndicatorLook } from "@/features/symbols/types";
import { type IndicatorFamily, type Parameter, readMember, writeName } from "@/lib/analytics/indicators/family";
import { findIndicator, indicatorFamilies } from "@/lib/analytics/indicators/registry";

/** Loaded when the dialog of indicators opens: all formulas are here. */

interface FamilyPickerProps {
  search: string;
  chosen: readonly string[];
  /** How many more lines the chart can have. */
  room: number;
  /** Decimals of the symbol. */
  digits: number;
  /** The name of the member whose parameters are changed; null if one is added. */
  changed: string | null;
  /** Called with the new lines, which take the place of the changed one. */
  onChoose: (looks: readonly IndicatorLook[]) => void;
}

/** Chooses a family of indicators, and its parameters and lines. */
export function FamilyPicker({ search, changed, ...picker }: FamilyPickerProps) {
  const start = changed === null ? null : findMember(changed);
  const [openName, setOpenName] = useState<string | null>(start?.family.name ?? null);
  const words = search.toLowerCase().split(/\s+/);
  const found = indicatorFamilies.filter((family) => {
    const { name, alias = "", title, lines } = family;
    const text = `${name} ${alias} ${title} ${Object.values(lines).join(" ")}`.toLowerCase();
    return family.name === openName || words.every((word) => text.includes(word));
  });
  if (found.length === 0) return <p className="col-span-full text-dim">No family matches “{search.trim()}”.</p>;
  return (
    <ul aria-label="Indicators with own parameters" className="col-span-full grid grid-cols-subgrid gap-y-1 py-1.5">
      {found.map((family) => {
        const isOpen = family.name === openName;
        return (
          <li key={family.name} className={isOpen ? "col-span-full" : ""}>
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpenName(isOpen ? null : family.name)}
              className="w-full rounded-sm px-1 py-0.5 text-left text-xs13 hover:bg-hover max-md:min-h-11"
            >
              {family.name}
              <span className="block text-xs12 text-faint">{family.title}</span>
            </button>
            {isOpen && (
              <FamilyForm
                key={changed}
                family={family}
                values={start?.family === family ? start.values : family.parameters.map(({ usual }) => usual)}
                line={start?.family === family ? start.line : null}
                isChange={start?.family === family}
                {...picker}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function findMember(name: string) {
  for (const family of indicatorFamilies) {
    const read = readMember(family, name);
    if (read !== null && typeof read !== "string") return { family, ...read };
  }
  return null;
}

interface FamilyFormProps extends Omit<FamilyPickerProps, "search" | "changed"> {
  family: IndicatorFamily;
  values: readonly (number | string)[];
  /** The line that is chosen at first; null for the first one. */
  line: string | null;
  isChange: boolean;
}

function FamilyForm({ family, chosen, room, digits, isChange, onChoose, ...first }: FamilyFormProps) {
  const names = Object.keys(family.lines);
  const [texts, setTexts] = useState(first.values.map(String));
  const [lines, setLines] = useState<readonly string[]>([first.line ?? names[0] ?? ""]);
  const { members, problem } = readForm(family, texts, lines);
  const fresh = members.filter(({ name }) => !chosen.includes(name));
  const free = room + (isChange ? 1 : 0);
  const refusal =
    problem ??
    (lines.length === 0 ? "Choose a line" : fresh.length === 0 ? "It is on the chart" : null) ??
    (fresh.length > free ? `The chart has room for ${free} more` : null);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (refusal === null) onChoose(fresh.map((definition) => toIndicatorLook(definition, digits)));
  }

  return (
    <form onSubmit={submit} className="my-1 grid gap-3 rounded-md border border-line p-3 text-xs13">
      <p className="text-xs12 text-dim">
        {formatFormula(family.formula)}
        <span className="block text-faint">After {family.source.replaceAll("`", "")}.</span>
      </p>
      {family.parameters.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {family.parameters.map((parameter, i) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              text={texts[i] ?? ""}
              onChange={(text) => setTexts(texts.map((each, at) => (at === i ? text : each)))}
            />
          ))}
        </div>
      )}
      {names.length > 1 && (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
          <legend className="pb-1 text-xs12 text-faint">Lines</legend>
          {names.map((line) => (
            <label key={line} className="flex gap-2 max-md:min-h-8">
              <input
                type="checkbox"
                className={CHECK_CLASS}
                checked={lines.includes(line)}
                onChange={() =>
                  setLines(lines.includes(line) ? lines.filter((each) => each !== line) : [...lines, line])
                }
              />
              {family.lines[line] === "" ? family.name : family.lines[line]}
            </label>
          ))}
        </fieldset>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" size="sm" disabled={refusal !== null}>
          {isChange ? "Change" : "Add"}
        </Button>
        <p role="status" className={refusal === null ? "font-mono text-dim" : "text-dim"}>
          {refusal === null ? fresh.map(({ name }) => name).join(", ") : `${refusal}.`}
        </p>
      </div>
    </form>
  );
}

/** The indicators of the form, or what is wrong with it. */
function readForm(family: IndicatorFamily, texts: readonly string[], lines: readonly string[]) {
  const values = family.parameters.map((parameter, i) => {
    const text = texts[i] ?? "";
    return "words" in parameter ? text : text.trim() === "" ? NaN : Number(text);
  });
  const missing = family.parameters.find((_, i) => Number.isNaN(values[i]));
  if (missing !== undefined) return { members: [], problem: `Enter ${missing.name}` };
  const names = lines.map((line) => writeName(family, values, line));
  const members = names.flatMap((name) => findIndicator(name) ?? []);
  const wrong = names.map((name) => readMember(family, name)).find((read) => typeof read === "string");
  const problem = typeof wrong === "string" ? wrong.slice(family.name.length + 2) : null;
  return { members, problem: members.length < names.length ? (problem ?? "These parameters have no indicator") : null };
}

interface ParameterFieldProps {
  parameter: Parameter;
  text: string;
  onChange: (text: string) => void;
}

function ParameterField({ parameter, text, onChange }: ParameterFieldProps) {
  const id = useId();
  const title = parameter.name.replaceAll("_", " ");
  return (
    <label htmlFor={id} className="grid w-28 gap-1 text-xs12 text-faint">
      {title.charAt(0).toUpperCase() + title.slice(1)}
      {"words" in parameter ? (
        <select
          id={id}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          className={`px-2 ${FIELD_CLASS}`}
        >
          {parameter.words.map((word) => (
            <option key={word} value={word}>
              {word.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="number"
          inputMode="decimal"
          min={parameter.min}
          max={parameter.max}
          step={10 ** -parameter.decimals}
          title={`${parameter.min} to ${parameter.max}`}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          className={`px-2 font-mono ${FIELD_CLASS}`}
        />
      )}
    </label>
  );
}

/** Writes the parameters of a formula without their marks. */
function formatFormula(formula: string): string {
  const plain = formula.replaceAll("`", "").replaceAll("_", " ");
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
