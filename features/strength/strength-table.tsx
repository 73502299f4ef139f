import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import type { StrengthLine } from "@/features/strength/types";

const names: Readonly<Record<string, string>> = {
  USD: "US dollar",
  EUR: "Euro",
  GBP: "Pound sterling",
  JPY: "Japanese yen",
  CHF: "Swiss franc",
  AUD: "Australian dollar",
  CAD: "Canadian dollar",
  NZD: "New Zealand dollar",
};

const trends = {
  bullish: { Icon: ArrowUp, className: "text-up" },
  bearish: { Icon: ArrowDown, className: "text-down" },
  neutral: { Icon: Minus, className: "text-faint" },
} as const;

/** Pairs of a currency among the eight. */
const ALL_PAIRS = 7;

/** Currencies ranked, each with its bar from 0 to 10. */
export function StrengthTable({ lines }: { lines: readonly StrengthLine[] }) {
  return (
    <table className="strength-table">
      <caption className="sr-only">Currencies, strongest first</caption>
      <thead>
        <tr>
          <th scope="col">Currency</th>
          <th scope="col" colSpan={2}>
            Strength
          </th>
          <th scope="col">Change</th>
          <th scope="col">Trend</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row key={line.currency} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ line: { currency, strength, change, trend, pairs } }: { line: StrengthLine }) {
  const { Icon, className } = trends[trend];
  return (
    <tr>
      <th scope="row">
        <span className="numerals font-medium">{currency}</span>
        <span className="strength-name">{names[currency]}</span>
        {pairs < ALL_PAIRS && (
          <span className="strength-partial">
            {pairs} of {ALL_PAIRS} pairs
          </span>
        )}
      </th>
      <td className="strength-track-cell">
        <div className="strength-track" aria-hidden>
          <div className="strength-bar" data-side={sideOf(strength)} style={{ inlineSize: `${strength * 10}%` }} />
        </div>
      </td>
      <td className="strength-value">{strength.toFixed(2)}</td>
      <td className="strength-change">{signed(change)}</td>
      <td className="strength-trend">
        <span className={className}>
          <Icon aria-hidden size={16} />
          <span className="strength-trend-word">{trend}</span>
        </span>
      </td>
    </tr>
  );
}

/** Within half a point of 5 nothing much is going on. */
function sideOf(strength: number): "strong" | "weak" | "even" {
  if (Math.abs(strength - 5) < 0.5) return "even";
  return strength > 5 ? "strong" : "weak";
}

function signed(change: number): string {
  const text = Math.abs(change).toFixed(2);
  if (text === "0.00") return text;
  return change > 0 ? `+${text}` : `−${text}`;
}
