import { StrengthBar } from "@/components/shared/strength-bar";
import { Link } from "@/components/ui/link";
import { NothingHere, Part } from "@/features/overview/part";
import type { StrengthNow } from "@/features/overview/types";

/** The eight currencies by their strength, and the pair of the strongest and the weakest. */
export function StrengthPanel({ strength }: { strength: readonly StrengthNow[] | null }) {
  const [first, ...others] = strength ?? [];
  return (
    <Part
      id="overview-strength"
      title="Strength"
      href={`/strength?timeframe=${first?.timeframe ?? "H1"}`}
      className="min-h-72"
    >
      <ul className="mb-2 grid gap-0.5 text-xs13">
        {strength?.map((each) => (
          <Pair key={each.timeframe} strength={each} />
        ))}
      </ul>
      {first?.lines ? (
        <Ranking first={first} lines={first.lines} others={others} />
      ) : (
        <NothingHere>
          {first === undefined
            ? "The bars of all 28 pairs are being read."
            : "The strength needs 13 closed bars of all 28 pairs."}
        </NothingHere>
      )}
    </Part>
  );
}

function Pair({ strength: { timeframe, lines, pair } }: { strength: StrengthNow }) {
  return (
    <li className="flex items-baseline gap-2">
      <span className="numerals w-6 text-faint">{timeframe}</span>
      {pair === null ? (
        <span className="text-dim">{lines === null ? "Too few bars so far" : "All currencies are equally strong"}</span>
      ) : (
        <>
          <span>
            <b className="font-medium">{pair.strongest}</b> <span className="text-dim">over</span>{" "}
            <b className="font-medium">{pair.weakest}</b>
          </span>
          <Link
            href={`/symbols/${pair.symbol}`}
            className="ml-auto font-medium underline decoration-edge underline-offset-3 hover:decoration-ink"
          >
            <span className={pair.side === "buy" ? "text-up" : "text-down"}>
              {pair.side === "buy" ? "Buy" : "Sell"}
            </span>{" "}
            {pair.symbol}
          </Link>
        </>
      )}
    </li>
  );
}

interface RankingProps {
  first: StrengthNow;
  lines: NonNullable<StrengthNow["lines"]>;
  others: readonly StrengthNow[];
}

function Ranking({ first, lines, others }: RankingProps) {
  return (
    <table className="w-full text-xs13">
      <caption className="sr-only">Currencies by strength, from 0 to 10</caption>
      <thead className="text-xs12 text-faint">
        <tr>
          <th scope="col" className="sr-only">
            Currency
          </th>
          <td aria-hidden />
          {[first, ...others].map(({ timeframe }) => (
            <th key={timeframe} scope="col" className="w-11 text-right font-normal">
              {timeframe}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ currency, strength }) => (
          <tr key={currency} className="h-6">
            <th scope="row" className="numerals w-10 text-left font-normal">
              {currency}
            </th>
            <td aria-hidden className="pl-1">
              <StrengthBar strength={strength} />
            </td>
            <td className="numerals text-right">{strength.toFixed(1)}</td>
            {others.map(({ timeframe, lines: other }) => (
              <td key={timeframe} className="numerals text-right text-dim">
                {other?.find((line) => line.currency === currency)?.strength.toFixed(1) ?? "–"}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
