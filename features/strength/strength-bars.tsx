import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import { StrengthBar } from "@/components/shared/strength-bar";
import { type Column, Table } from "@/components/ui/table";
import { TrendLine } from "@/features/strength/trend-line";
import type { StrengthLine } from "@/features/strength/types";

const NAMES: Readonly<Record<string, string>> = {
  USD: "US dollar",
  EUR: "Euro",
  GBP: "Pound sterling",
  JPY: "Japanese yen",
  CHF: "Swiss franc",
  AUD: "Australian dollar",
  CAD: "Canadian dollar",
  NZD: "New Zealand dollar",
};

/** Arrows have no colour of their own: a weak currency may rise, and its bar stays red. */
const TRENDS = { bullish: ArrowUp, bearish: ArrowDown, neutral: Minus } as const;

/** Pairs of a currency among the eight. */
const ALL_PAIRS = 7;
const FIGURE = "w-14 pl-3 font-mono slashed-zero";

const COLUMNS: readonly Column<StrengthLine>[] = [
  { heading: "Currency", cell: (line) => <Currency line={line} />, className: "w-48 max-md:w-12" },
  {
    heading: "Strength",
    cell: ({ strength }) => <StrengthBar strength={strength} />,
    headingClassName: "text-center!",
  },
  {
    heading: "Value",
    isHeadingHidden: true,
    isNumeric: true,
    cell: ({ strength }) => <span className="font-semibold">{strength.toFixed(2)}</span>,
    cellClassName: FIGURE,
    headingClassName: "w-14",
  },
  {
    heading: "Change",
    isNumeric: true,
    cell: (line) => <Change line={line} />,
    className: "w-22 pl-3 text-xs13 text-dim max-md:w-18",
    cellClassName: "font-mono",
  },
  {
    heading: "Last 24 bars",
    isNumeric: true,
    cell: ({ currency, history }) => <TrendLine values={history.slice(-24)} label={`${currency}, last 24 bars`} />,
    className: "w-28 pl-4 max-md:hidden",
  },
];

/** The ranked currencies, each with a bar from the middle of the scale. */
export function StrengthBars({ lines }: { lines: readonly StrengthLine[] }) {
  return (
    <Table
      look="plain"
      caption="Currencies, strongest first"
      className="w-full table-fixed border-separate border-spacing-y-0.5"
      headingClassName="h-7 text-xs12"
      rowProps={() => ({ className: "h-9 whitespace-nowrap" })}
      columns={COLUMNS}
      rows={lines}
      getKey={({ currency }) => currency}
    />
  );
}

function Currency({ line: { currency, pairs } }: { line: StrengthLine }) {
  return (
    <>
      <span className="numerals font-medium">{currency}</span>
      <span className="ml-2.5 text-xs13 text-dim max-md:sr-only">{NAMES[currency]}</span>
      {pairs < ALL_PAIRS && (
        <span className="block text-2xs text-warn">
          {pairs} of {ALL_PAIRS} pairs
        </span>
      )}
    </>
  );
}

function Change({ line: { change, trend } }: { line: StrengthLine }) {
  const Icon = TRENDS[trend];
  return (
    <span className="inline-flex items-center gap-1.5" title={`Trend: ${trend}`}>
      {formatChange(change)}
      <Icon aria-hidden size={14} className={trend === "neutral" ? "text-faint" : "text-ink"} />
      <span className="sr-only">{trend}</span>
    </span>
  );
}

function formatChange(change: number): string {
  const text = Math.abs(change).toFixed(2);
  if (text === "0.00") return text;
  return change > 0 ? `+${text}` : `−${text}`;
}
