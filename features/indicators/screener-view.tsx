"use client";

import Form from "next/form";
import { type FormEvent, type ReactNode, useId } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { BarAge } from "@/components/shared/bar-age";
import { StateMark } from "@/components/shared/state-mark";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { AtField } from "@/components/ui/past";
import { FIELD_CLASS } from "@/components/ui/search-box";
import { type Column, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import type { ChosenIndicator, ListedIndicator, ScreenerData, ScreenerRow } from "@/features/indicators/screener-data";
import { type ScreenerChoice, toScreenerQuery, toScreenerRequest } from "@/features/indicators/screener-url";
import { CATEGORIES } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { readTypedNumber } from "@/lib/text/typed-number";

/** Values change when a bar closes, prices with every quote. */
const REFRESH_MS = 15_000;

interface ScreenerViewProps {
  choice: ScreenerChoice;
  /** What may be chosen, beside all other members of families. */
  indicators: readonly ListedIndicator[];
  chosen: ChosenIndicator;
  /** Why the name in the address is not an indicator; null if it is. */
  problem: string | null;
  initial: ScreenerData;
}

/** All symbols by the value of one indicator, between two bounds. */
export function ScreenerView({ choice, indicators, chosen, problem, initial }: ScreenerViewProps) {
  const query = toScreenerQuery(choice);
  const { data = initial, isOffline } = useFresh<ScreenerData>(
    `/indicators/screener/data?${query}`,
    REFRESH_MS,
    initial,
  );
  const { rows, matching, withValue, longest } = data;
  return (
    <>
      <Form action="/indicators/screener" scroll={false} key={query}>
        <AtField />
        <ScreenerFilters {...{ choice, indicators, chosen }}>
          <Button type="submit" look="primary" size="sm" className="h-8!">
            Screen
          </Button>
          <ApiCallButton of="Screener" requests={[toScreenerRequest(choice)]} />
        </ScreenerFilters>
      </Form>
      {isOffline && <Notice tone="error">The server is not responding. These values may be out of date.</Notice>}
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      {longest !== null ? (
        <EmptyState title={`${choice.indicator} needs shorter bars`}>
          It is computed from bars of {longest} or shorter.
        </EmptyState>
      ) : rows.length === 0 ? (
        <EmptyState
          art={withValue === 0 ? "record" : "search"}
          title={withValue === 0 ? `Too few ${choice.timeframe} bars yet` : "No symbol matches"}
        >
          {withValue === 0
            ? "Bars are built from recorded quotes. A shorter timeframe is ready sooner."
            : `None of ${withValue} symbols has ${choice.indicator} between these bounds. Widen them, or choose another category.`}
        </EmptyState>
      ) : (
        <>
          <p className="px-4 pb-2 text-xs13 text-dim max-md:px-3">
            {matching} of {withValue} symbols at their latest closed {choice.timeframe} bar
            {rows.some(({ barState }) => barState === "outdated") && "; those with outdated bars come last"}
            {matching > rows.length && `. The first ${rows.length} are shown: narrow the bounds or choose a category.`}
          </p>
          <Table
            caption={`Symbols by ${choice.indicator}, ${choice.sort === "asc" ? "lowest" : "highest"} first`}
            cellClassName="border-b border-line pl-4 max-md:pl-3"
            headingClassName="border-t text-xs12"
            rowProps={() => ({ className: "hover:bg-hover max-md:[&>*]:h-11" })}
            columns={getColumns(choice)}
            rows={rows}
            getKey={({ symbol }) => symbol}
          />
        </>
      )}
    </>
  );
}

function getColumns({ indicator, timeframe }: ScreenerChoice): Column<ScreenerRow>[] {
  return [
    {
      heading: "Symbol",
      cell: ({ symbol, name, barState, closedMs }) => (
        <Link
          href={`/symbols/${symbol}?timeframe=${timeframe}`}
          className="flex items-baseline gap-x-2 max-md:flex-wrap max-md:leading-11"
        >
          <span translate="no" className="min-w-17 flex-none font-semibold">
            {symbol}
          </span>
          <span className="truncate text-xs12 text-dim max-md:hidden">{name}</span>
          <BarAge
            state={barState}
            closedMs={closedMs}
            className="ml-auto max-md:ml-0 max-md:basis-full max-md:pb-2 max-md:leading-5"
          />
        </Link>
      ),
      className: "w-[40%] max-md:w-auto",
    },
    { heading: indicator, cell: ({ value }) => value, isNumeric: true, cellClassName: "font-mono" },
    {
      heading: "Bid",
      cell: ({ bid }) => bid ?? "–",
      isNumeric: true,
      cellClassName: "font-mono text-dim",
      className: "max-md:pr-3",
    },
    {
      heading: "State",
      cell: ({ state }) => state !== null && <StateMark state={state} />,
      className: "pl-10 max-md:hidden",
    },
    {
      heading: "All indicators",
      isHeadingHidden: true,
      cell: ({ symbol }) => (
        <Link
          href={`/indicators?symbol=${symbol}&timeframe=${timeframe}`}
          aria-label={`All indicators of ${symbol}`}
          className="inline-block py-1 text-xs12 text-dim hover:text-ink hover:underline"
        >
          All indicators
        </Link>
      ),
      cellClassName: "pr-4 text-right",
      className: "max-md:hidden",
    },
  ];
}

interface ScreenerFiltersProps {
  choice: ScreenerChoice;
  indicators: readonly ListedIndicator[];
  chosen: ChosenIndicator;
  children: ReactNode;
}

const formatBound = (bound: number | undefined) =>
  bound === undefined || !Number.isFinite(bound) ? "any" : String(bound);

const SELECT_CLASS = `px-2 ${FIELD_CLASS}`;
const BOUND_CLASS = `px-2 font-mono ${FIELD_CLASS}`;

/** Lets the browser refuse to send what the server would not read. */
function checkBound({ currentTarget }: FormEvent<HTMLInputElement>): void {
  const read = currentTarget.value.trim() === "" ? { value: 0 } : readTypedNumber(currentTarget.value);
  currentTarget.setCustomValidity("problem" in read ? `This ${read.problem}.` : "");
}

/** The filters of the screener: fields of a form that is sent by GET. */
function ScreenerFilters({ choice, indicators, chosen: { title, range }, children }: ScreenerFiltersProps) {
  const { indicator, timeframe, min, max, category, sort } = choice;
  const listId = useId();
  const bound = {
    inputMode: "decimal",
    autoComplete: "off",
    maxLength: 20,
    onInput: checkBound,
  } as const;
  return (
    <div className={`${TOOLBAR_CLASS} items-end!`}>
      <Labelled label="Indicator" className="w-80">
        <input
          name="indicator"
          defaultValue={indicator}
          list={listId}
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          title={`${title}. Families take parameters, such as RSI_21 or BBands_20_2.5_upper.`}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className={`px-2 font-mono ${FIELD_CLASS}`}
        />
        <datalist id={listId}>
          {indicators.map((each) => (
            <option key={each.name} value={each.name} label={each.title} />
          ))}
        </datalist>
      </Labelled>
      <Labelled label="Timeframe" className="w-22">
        <select name="timeframe" defaultValue={timeframe} className={SELECT_CLASS}>
          {TIMEFRAMES.map((each) => (
            <option key={each} value={each} translate="no">
              {each}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="From" className="w-24">
        <input
          {...bound}
          name="min"
          defaultValue={min ?? ""}
          placeholder={formatBound(range?.[0])}
          className={BOUND_CLASS}
        />
      </Labelled>
      <Labelled label="To" className="w-24">
        <input
          {...bound}
          name="max"
          defaultValue={max ?? ""}
          placeholder={formatBound(range?.[1])}
          className={BOUND_CLASS}
        />
      </Labelled>
      <Labelled label="Category" className="w-32">
        <select name="category" defaultValue={category ?? ""} className={SELECT_CLASS}>
          <option value="">All</option>
          {CATEGORIES.map((each) => (
            <option key={each} value={each}>
              {each.charAt(0).toUpperCase() + each.slice(1)}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Order" className="w-34">
        <select name="sort" defaultValue={sort} className={SELECT_CLASS}>
          <option value="desc">Highest first</option>
          <option value="asc">Lowest first</option>
        </select>
      </Labelled>
      {children}
    </div>
  );
}

function Labelled({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <label className={`grid gap-1 text-xs12 text-faint max-md:flex-1 max-md:basis-[42%] ${className}`}>
      {label}
      {children}
    </label>
  );
}
