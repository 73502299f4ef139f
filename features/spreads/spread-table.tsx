"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { StateMark } from "@/components/shared/state-mark";
import { useFresh } from "@/components/ui/use-fresh";
import { pipsText, relationText } from "@/features/spreads/spread-text";
import type { SpreadRow, SpreadTable as Table } from "@/features/spreads/types";
import { type SpreadsView, viewHref, withoutSymbol } from "@/features/spreads/url";

const REFRESH_MS = 2_000;

/** The chosen symbols beside each other, tightest on average first. A symbol's name opens it below. */
export function SpreadTable({ view, initial }: { view: SpreadsView; initial: Table }) {
  const { symbols, period } = view;
  const url = `/spreads/table?symbols=${symbols.join(",")}&period=${period}`;
  const { data = initial, isOffline } = useFresh(url, REFRESH_MS, initial);
  return (
    <>
      <table className="spread-table" data-offline={isOffline || undefined}>
        <caption className="sr-only">Spreads in pips, tightest on average first</caption>
        <thead>
          <tr>
            <th scope="col">Symbol</th>
            <th scope="col">Now</th>
            <th scope="col">Average</th>
            <th scope="col">Lowest</th>
            <th scope="col">Highest</th>
            <th scope="col" className="spread-wide">
              Now to average
            </th>
            <th scope="col" className="spread-wide">
              State
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <Row key={row.symbol} row={row} view={view} />
          ))}
        </tbody>
      </table>
      {isOffline && (
        <p role="alert" className="spread-offline">
          These spreads are not updating: the server does not answer. Trying again.
        </p>
      )}
    </>
  );
}

function Row({ row, view }: { row: SpreadRow; view: SpreadsView }) {
  const { symbol, name, current, state, avg, min, max } = row;
  const isSelected = symbol === view.selected;
  const isLive = state === "live" || state === "delayed";
  return (
    <tr data-state={state ?? "none"} data-selected={isSelected || undefined}>
      <th scope="row">
        <Link
          href={viewHref({ ...view, selected: symbol })}
          aria-current={isSelected ? "true" : undefined}
          scroll={false}
          className="spread-symbol"
        >
          <span className="symbol-code">{symbol}</span>
          <span className="symbol-name">{name}</span>
        </Link>
      </th>
      <td className="spread-now">{pipsText(current, 1)}</td>
      <td>{pipsText(avg)}</td>
      <td>{pipsText(min)}</td>
      <td>{pipsText(max)}</td>
      <td className="spread-wide">{isLive ? relationText(current, avg) : "–"}</td>
      <td className="spread-wide spread-state">
        {state === null ? <span className="text-faint">no quote yet</span> : <StateMark state={state} />}
      </td>
      <td className="spread-remove">
        {view.symbols.length > 1 && (
          <Link
            href={viewHref(withoutSymbol(view, symbol))}
            aria-label={`Remove ${symbol}`}
            prefetch={false}
            scroll={false}
          >
            <X aria-hidden size={14} />
          </Link>
        )}
      </td>
    </tr>
  );
}
