import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import { type Column, Table } from "@/components/ui/table";
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

const TRENDS = {
  bullish: { Icon: ArrowUp, className: "text-up" },
  bearish: { Icon: ArrowDown, className: "text-down" },
  neutral: { Icon: Minus, className: "text-faint" },
} as const;

/** Pairs of a currency among the eight. */
const ALL_PAIRS = 7;
const FIGURE = "w-18 pl-4 font-mono slashed-zero max-md:w-13 max-md:pl-2";

const COLUMNS: readonly Column<StrengthLine>[] = [
  {
    heading: "Currency",
    cell: (line) => <Currency line={line} />,
    headingClassName: "max-md:sr-only",
    cellClassName: "w-54 pr-4 max-md:w-13 max-md:pr-3",
  },
  {
    heading: "Strength",
    cell: ({ strength }) => <StrengthBar strength={strength} />,
    headingClassName: "max-md:sr-only",
  },
  {
    heading: "Value",
    isHeadingHidden: true,
    isNumeric: true,
    cell: ({ strength }) => <span className="font-semibold">{strength.toFixed(2)}</span>,
    cellClassName: FIGURE,
  },
  {
    heading: "Change",
    isNumeric: true,
    cell: ({ change }) => formatChange(change),
    cellClassName: `${FIGURE} text-xs13 text-dim`,
  },
  {
    heading: "Trend",
    isNumeric: true,
    cell: ({ trend }) => <Trend trend={trend} />,
    headingClassName: "max-md:sr-only",
    cellClassName: "w-27 max-md:w-7",
  },
];

/** The ranked currencies, each with a bar from 0 to 10. */
export function StrengthTable({ lines }: { lines: readonly StrengthLine[] }) {
  return (
    <Table
      look="plain"
      caption="Currencies, strongest first"
      className="w-full max-w-[62rem]"
      headingClassName="pb-1.5 text-xs12"
      rowProps={() => ({ className: "h-11 border-t border-line whitespace-nowrap" })}
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
        <span className="block text-xs12/4 text-warn">
          {pairs} of {ALL_PAIRS} pairs
        </span>
      )}
    </>
  );
}

const SIDES = {
  strong: "bg-[linear-gradient(90deg,color-mix(in_oklab,var(--up)_45%,transparent),var(--up))]",
  weak: "bg-[linear-gradient(90deg,color-mix(in_oklab,var(--down)_45%,transparent),var(--down))]",
  even: "bg-[linear-gradient(90deg,color-mix(in_oklab,var(--dim)_45%,transparent),var(--dim))]",
} as const;

/** A bar from 0 to 10. Every row marks the middle. */
function StrengthBar({ strength }: { strength: number }) {
  return (
    <div
      aria-hidden
      className="h-4 rounded-sm [background:linear-gradient(var(--edge),var(--edge))_50%_0/1px_100%_no-repeat_var(--hover)]"
    >
      <div
        className={`h-full min-w-0.5 rounded-[inherit] transition-[inline-size] duration-300 ease-out ${SIDES[getSide(strength)]}`}
        style={{ inlineSize: `${strength * 10}%` }}
      />
    </div>
  );
}

function Trend({ trend }: { trend: StrengthLine["trend"] }) {
  const { Icon, className } = TRENDS[trend];
  return (
    <span className={`inline-flex items-center gap-1.5 align-middle text-xs13 ${className}`}>
      <Icon aria-hidden size={16} />
      <span className="max-md:sr-only">{trend}</span>
    </span>
  );
}

/** Within half a point of 5 a currency is neutral. */
function getSide(strength: number): "strong" | "weak" | "even" {
  if (Math.abs(strength - 5) < 0.5) return "even";
  return strength > 5 ? "strong" : "weak";
}

function formatChange(change: number): string {
  const text = Math.abs(change).toFixed(2);
  if (text === "0.00") return text;
  return change > 0 ? `+${text}` : `−${text}`;
}
