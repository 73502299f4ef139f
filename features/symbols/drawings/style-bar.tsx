import { Copy, Eye, EyeOff, Lock, LockOpen, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { LINE_TOKENS } from "@/features/symbols/chart-colours";
import type { DeskState, DrawingDesk } from "@/features/symbols/drawings/drawing-desk";
import type { DrawingStore } from "@/features/symbols/drawings/drawing-store";
import {
  COLOURS,
  DASHES,
  getKind,
  isLocked,
  type KnownDrawing,
  MOST_LEVELS,
  parseLevels,
  readStyle,
  readText,
  WIDTHS,
} from "@/features/symbols/drawings/kinds";
import { KindIcon } from "@/features/symbols/drawings/tool-bar";

interface StyleBarProps {
  drawing: KnownDrawing;
  desk: DrawingDesk;
  state: DeskState;
  store: DrawingStore;
  /** More buttons. */
  children?: ReactNode;
}

const LONGEST_TEXT = 500;
const WITHOUT_TEXT = new Set(["pitchfork", "fib-retracement", "fib-extension", "brush", "measure"]);
const isPosition = (kind: string) => kind.endsWith("-position");

/** How the selected drawing looks, and what can be done with it. */
export function StyleBar({ drawing, desk, state, store, children }: StyleBarProps) {
  const { title } = getKind(drawing.kind);
  const style = readStyle(drawing);
  const change = (fields: Record<string, unknown>) => store.put([{ ...drawing, ...fields }]);
  const hasStyle = drawing.kind !== "measure" && !isPosition(drawing.kind);
  return (
    <div
      role="group"
      aria-label={`Selected: ${title}`}
      className="absolute top-9 right-20 z-3 flex max-w-[calc(100%-6rem)] flex-wrap items-center gap-0.5 rounded-lg border border-line bg-raised p-1 text-xs12 shadow-float max-md:top-auto max-md:right-2 max-md:bottom-9 max-md:left-2 max-md:max-w-none max-md:justify-center"
    >
      <span title={title} className="grid size-7 place-items-center text-dim">
        <KindIcon kind={drawing.kind} size={18} />
      </span>
      {hasStyle && <ColourMenu colour={style.colour} onChoose={(colour) => change({ colour })} />}
      {hasStyle && drawing.kind !== "text" && (
        <>
          <Choice
            label="Width"
            value={String(style.width)}
            options={WIDTHS.map((each) => [String(each), `${each} px`])}
            onChoose={(value) => change({ width: Number(value) })}
          />
          <Choice
            label="Line"
            value={style.dash}
            options={DASHES.map((each) => [each, { solid: "Solid", dashed: "Dashed", dotted: "Dotted" }[each]])}
            onChoose={(dash) => change({ dash })}
          />
        </>
      )}
      {!WITHOUT_TEXT.has(drawing.kind) && !isPosition(drawing.kind) && (
        <TextField
          label="Text"
          value={readText(drawing)}
          request={drawing.kind === "text" ? state.textRequest : 0}
          onChange={(text) => change({ text: text === "" && drawing.kind !== "text" ? undefined : text })}
        />
      )}
      {getKind(drawing.kind).levels !== undefined && (
        <LevelsField
          key={style.levels.join()}
          written={style.levels.join(", ")}
          onChange={(levels) => change({ levels })}
        />
      )}
      {children}
      <IconButton
        label={isLocked(drawing) ? "Unlock" : "Lock"}
        isOn={isLocked(drawing)}
        onClick={() => change({ isLocked: isLocked(drawing) ? undefined : true })}
      >
        {isLocked(drawing) ? <Lock aria-hidden size={14} /> : <LockOpen aria-hidden size={14} />}
      </IconButton>
      <IconButton label="Hide" onClick={() => (desk.select(null), change({ isHidden: true }))}>
        <EyeOff aria-hidden size={14} />
      </IconButton>
      <IconButton label="Duplicate" onClick={() => desk.duplicate()}>
        <Copy aria-hidden size={14} />
      </IconButton>
      <IconButton label="Delete" onClick={() => store.remove([drawing.id])}>
        <Trash2 aria-hidden size={14} />
      </IconButton>
    </div>
  );
}

interface IconButtonProps {
  label: string;
  isOn?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, isOn, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={onClick}
      className="grid size-7 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink aria-pressed:text-accent-ink max-md:size-9"
    >
      {children}
    </button>
  );
}

const toCss = (colour: string) =>
  colour.startsWith("#") ? colour : `var(${LINE_TOKENS[COLOURS.findIndex((each) => each === colour)] ?? "--ink"})`;

function ColourMenu({ colour, onChoose }: { colour: string; onChoose: (colour: string) => void }) {
  const id = useId();
  const anchor = `--colour-${id.replaceAll(/\W/g, "")}`;
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        aria-label={`Colour: ${colour}`}
        title="Colour"
        popoverTarget={id}
        style={{ anchorName: anchor }}
        className="grid size-7 place-items-center rounded-md hover:bg-hover max-md:size-9"
      >
        <span aria-hidden className="size-4 rounded-sm border border-edge" style={{ background: toCss(colour) }} />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="inset-auto top-[anchor(bottom)] left-[anchor(left)] m-0 mt-1 grid-cols-4 gap-1 rounded-lg border border-line bg-raised p-1.5 shadow-float [position-try-fallbacks:flip-block,flip-inline] open:grid"
      >
        {COLOURS.map((each) => (
          <button
            key={each}
            type="button"
            aria-label={each}
            title={each}
            aria-pressed={each === colour}
            onClick={() => (menu.current?.hidePopover(), onChoose(each))}
            className="grid size-8 place-items-center rounded-md hover:bg-hover aria-pressed:shadow-[inset_0_0_0_1.5px_var(--accent)]"
          >
            <span aria-hidden className="size-5 rounded-sm" style={{ background: toCss(each) }} />
          </button>
        ))}
      </div>
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      className="h-7 rounded-md bg-transparent px-1 text-xs12 text-ink hover:bg-hover max-md:h-9"
    >
      {options.map(([each, text]) => (
        <option key={each} value={each} className="bg-raised">
          {text}
        </option>
      ))}
    </select>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  /** Raised when the text is to be written now. */
  request: number;
  onChange: (text: string) => void;
}

const FIELD_CLASS =
  "h-7 rounded-md border border-line bg-panel px-2 text-xs12 placeholder:text-faint max-md:h-9 aria-invalid:border-down";

function TextField({ label, value, request, onChange }: TextFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // A new text is written over.
    if (request > 0 && field.current?.value === "Text") field.current.select();
  }, [request]);
  return (
    <textarea
      key={value}
      ref={field}
      aria-label={label}
      placeholder="Text"
      rows={1}
      maxLength={LONGEST_TEXT}
      defaultValue={value}
      onBlur={({ target }) => target.value !== value && onChange(target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
        event.preventDefault();
        if (event.key === "Escape") event.currentTarget.value = value;
        event.currentTarget.closest<HTMLElement>("[data-chart]")?.focus();
      }}
      className={`${FIELD_CLASS} w-36 resize-none py-1 leading-4.5`}
    />
  );
}

interface LevelsFieldProps {
  /** As they are written: "0, 0.5, 1". */
  written: string;
  onChange: (levels: readonly number[]) => void;
}

function LevelsField({ written, onChange }: LevelsFieldProps) {
  const [text, setText] = useState(written);
  const parsed = parseLevels(text);
  return (
    <input
      aria-label="Levels"
      title={`Levels: up to ${MOST_LEVELS} numbers, such as 0, 0.5, 61.8%`}
      aria-invalid={parsed === null}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => parsed !== null && parsed.join(", ") !== written && onChange(parsed)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") event.currentTarget.closest<HTMLElement>("[data-chart]")?.focus();
      }}
      className={`${FIELD_CLASS} w-52 font-mono`}
    />
  );
}

/** Shows a drawing that was hidden, or hides it. */
export function HideButton({ isShown, onClick }: { isShown: boolean; onClick: () => void }) {
  return (
    <IconButton label={isShown ? "Hide" : "Show"} onClick={onClick}>
      {isShown ? <Eye aria-hidden size={14} /> : <EyeOff aria-hidden size={14} />}
    </IconButton>
  );
}
