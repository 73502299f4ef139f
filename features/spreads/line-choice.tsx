import { Link } from "@/components/ui/link";
import { getLines, MOST_LINES, type SpreadsView, toViewHref, withLineToggled } from "@/features/spreads/url";

interface LineChoiceProps {
  view: SpreadsView;
  sources: readonly string[];
  /** The formatted value of each drawn line. */
  values: ReadonlyMap<string, string>;
}

/** What the chart draws: any of the symbols, and any source of the selected one. Links, so that the address has it. */
export function LineChoice({ view, sources, values }: LineChoiceProps) {
  const shown = getLines(view);
  const isFull = shown.length >= MOST_LINES;
  const groups = [
    { name: "Symbols", lines: view.symbols.map((symbol) => ({ line: symbol, text: symbol })) },
    {
      name: `Sources of ${view.selected}`,
      lines: sources.map((source) => ({ line: `${view.selected}:${source}`, text: source })),
    },
    {
      name: "Others",
      lines: shown
        .filter((line) => line.includes(":") && !line.startsWith(`${view.selected}:`))
        .map((line) => ({ line, text: line.replace(":", " · ") })),
    },
  ];
  return (
    <div className="mb-2 grid gap-1.5">
      {groups
        .filter(({ lines }) => lines.length > 0)
        .map(({ name, lines }) => (
          <div key={name} role="group" aria-label={name} className="flex flex-wrap items-center gap-1.5">
            <span className="mr-1 min-w-28 text-xs12 text-faint max-md:basis-full">{name}</span>
            {lines.map(({ line, text }) => (
              <LineLink
                key={line}
                view={view}
                line={line}
                text={text}
                place={shown.indexOf(line)}
                value={values.get(line)}
              />
            ))}
          </div>
        ))}
      {isFull && <p className="text-xs12 text-faint">The chart has at most {MOST_LINES} lines.</p>}
    </div>
  );
}

interface LineLinkProps {
  view: SpreadsView;
  line: string;
  text: string;
  /** Its place among the drawn lines, which decides its colour; -1 if it is not drawn. */
  place: number;
  value: string | undefined;
}

function LineLink({ view, line, text, place, value }: LineLinkProps) {
  const isShown = place !== -1;
  return (
    <Link
      href={toViewHref(withLineToggled(view, line))}
      scroll={false}
      prefetch={false}
      aria-current={isShown ? "true" : undefined}
      className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line px-2 text-xs12 text-dim hover:border-edge aria-[current]:text-ink"
    >
      <span
        aria-hidden
        className="h-0.5 w-3.5"
        style={{ background: isShown ? `var(--line-${place + 1})` : "var(--line)" }}
      />
      <span className="sr-only">{isShown ? "Hide " : "Show "}</span>
      {text}
      {isShown && <span className="numerals"> {value ?? "–"}</span>}
      <span className="sr-only"> in the chart</span>
    </Link>
  );
}
