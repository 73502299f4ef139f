import { BarAge } from "@/components/shared/bar-age";
import { Moment } from "@/components/shared/moment";
import { StrengthBar } from "@/components/shared/strength-bar";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Meter } from "@/components/ui/meter";
import { type Column, Table } from "@/components/ui/table";
import { NothingHere, Part, SymbolLink } from "@/features/overview/part";
import type {
  AlertsPart,
  MarketSummary,
  Mover,
  NoticesPart,
  OverviewData,
  StrengthNow,
  WideSpread,
} from "@/features/overview/types";
import type { DayQuotaLine } from "@/features/usage/data";
import { NO_LIMIT } from "@/lib/access/plans";
import { forecastToday } from "@/lib/access/usage/plan-forecast";
import { formatSpreadPips } from "@/lib/market/price";
import { formatCount } from "@/lib/text/text";

/** The symbols whose price has changed most since 17:00 in New York. */
export function MoversPanel({ market: { rising, falling, moving } }: { market: MarketSummary }) {
  const most = Math.max(...[...rising, ...falling].map(({ percent }) => Math.abs(percent)));
  return (
    <Part id="overview-movers" title="Movers" href="/quotes?sort=-percent" note="since 17:00 New York">
      {rising.length + falling.length === 0 ? (
        <NothingHere>
          {moving === 0
            ? "No price is live now: the markets are closed, or no source is connected."
            : "No price has changed since 17:00 in New York, or the day’s first prices are not recorded yet."}
        </NothingHere>
      ) : (
        <div className="grid grid-cols-2 gap-x-4 max-md:grid-cols-1">
          <MoverTable caption="Rising" movers={rising} most={most} />
          <MoverTable caption="Falling" movers={falling} most={most} />
        </div>
      )}
    </Part>
  );
}

interface MoverTableProps {
  caption: string;
  movers: readonly Mover[];
  /** The largest change of all, in percent: the length of a full bar. */
  most: number;
}

function MoverTable({ caption, movers, most }: MoverTableProps) {
  return (
    <table className="w-full table-fixed self-start text-xs13">
      <caption className="pb-0.5 text-left text-xs12 text-faint">{caption}</caption>
      <colgroup>
        <col />
        <col className="w-18" />
        <col className="w-17" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Symbol</th>
          <th scope="col">Bid</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {movers.map(({ symbol, bid, percent }) => (
          <tr key={symbol} className="h-7.5">
            <th scope="row" className="truncate text-left font-normal">
              <SymbolLink symbol={symbol} />
            </th>
            <Figure as="td" className="text-right text-dim">
              {bid}
            </Figure>
            <td className="pl-2">
              <Figure className={`block text-right whitespace-nowrap ${percent > 0 ? "text-up" : "text-down"}`}>
                {percent > 0 ? "+" : "−"}
                {Math.abs(percent).toFixed(2)} %
              </Figure>
              <span aria-hidden className="flex h-[3px] justify-end rounded-sm bg-hover">
                <span
                  className={`block rounded-sm ${percent > 0 ? "bg-up" : "bg-down"}`}
                  style={{ inlineSize: `${(Math.abs(percent) / most) * 100}%` }}
                />
              </span>
            </td>
          </tr>
        ))}
        {movers.length === 0 && (
          <tr className="h-8">
            <td colSpan={3} className="text-dim">
              None
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

const COLUMNS: readonly Column<WideSpread>[] = [
  { heading: "Symbol", cell: ({ symbol }) => <SymbolLink symbol={symbol} /> },
  {
    heading: "Pips now",
    isNumeric: true,
    isFigure: true,
    cellClassName: "text-warn",
    cell: ({ pips }) => formatSpreadPips(pips),
  },
  {
    heading: "Usual, 7 days",
    tip: "95 % of the last 7 days were no wider, in pips",
    isNumeric: true,
    isFigure: true,
    cellClassName: "text-dim",
    cell: ({ usual }) => usual.toFixed(1),
  },
  {
    heading: "Above",
    tip: "How much wider the spread is now",
    isNumeric: true,
    isFigure: true,
    cell: ({ pips, usual }) => `+${Math.round((pips / usual - 1) * 100)} %`,
  },
];

/** The spreads that are wider than in 95 % of the last seven days. */
export function SpreadsPanel({ market, usual }: { market: MarketSummary; usual: OverviewData["usual"] }) {
  const known = usual === null ? 0 : Object.keys(usual).length;
  return (
    <Part
      id="overview-spreads"
      title="Wide spreads"
      href="/spreads"
      note={known === 0 ? undefined : `${market.wideCount} of ${Math.min(market.moving, known)} symbols`}
    >
      {/* As high as with all its rows: their number changes every second. */}
      <div className="min-h-49">
        {market.wide.length > 0 ? (
          <Table
            look="plain"
            caption="Spreads wider than usual"
            className="w-full text-xs13"
            cellClassName="h-7"
            columns={COLUMNS}
            rows={market.wide}
            getKey={({ symbol }) => symbol}
          />
        ) : (
          <NothingHere>{explainNone(market, usual === null ? null : known)}</NothingHere>
        )}
      </div>
    </Part>
  );
}

function explainNone({ moving }: MarketSummary, known: number | null): string {
  if (known === null) return "The usual spreads of the last seven days are being computed.";
  if (known === 0) return "A usual spread needs an hour of recorded prices.";
  return moving === 0 ? "No price is live now." : "No spread is wider than in 95 % of the last 7 days.";
}

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

function Pair({ strength: { timeframe, lines, pair, bar } }: { strength: StrengthNow }) {
  return (
    <li className="flex items-baseline gap-2">
      <Figure className="w-6 text-faint">{timeframe}</Figure>
      {bar?.state === "outdated" ? (
        <BarAge {...bar} />
      ) : pair === null ? (
        <span className="text-dim">{lines === null ? "Too few bars so far" : "All currencies are equally strong"}</span>
      ) : (
        <>
          <span>
            <b className="font-medium">{pair.strongest}</b> <span className="text-dim">over</span>{" "}
            <b className="font-medium">{pair.weakest}</b>
          </span>
          {bar && <BarAge {...bar} />}
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
            <Figure as="th" scope="row" className="w-10 text-left font-normal">
              {currency}
            </Figure>
            <td aria-hidden className="pl-1">
              <StrengthBar strength={strength} />
            </td>
            <Figure as="td" className="text-right">
              {strength.toFixed(1)}
            </Figure>
            {others.map(({ timeframe, lines: other }) => (
              <Figure as="td" key={timeframe} className="text-right text-dim">
                {other?.find((line) => line.currency === currency)?.strength.toFixed(1) ?? "–"}
              </Figure>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type AccountPanelProps = Pick<OverviewData, "usage" | "notices" | "alerts">;

/** The calls of the day against the quota, the alerts that fired last, and the notices that are not dismissed. */
export function AccountPanel({ usage, notices, alerts }: AccountPanelProps) {
  return (
    <>
      <Part id="overview-usage" title="Usage today" href="/usage" className="pb-1!">
        <div className="grid gap-2">
          {usage === null && <Late />}
          {usage?.quotas.map((line) => (
            <Quota key={line.name} line={line} nowMs={usage.nowMs} isNamed={usage.quotas.length > 1} />
          ))}
        </div>
      </Part>
      <Part
        id="overview-alerts"
        title="Alerts"
        href="/alerts"
        note={alerts === null ? undefined : `${formatCount(alerts.armed)} armed`}
        className="border-t border-line"
      >
        {alerts === null ? <Late /> : <Fired alerts={alerts} />}
      </Part>
      <Part id="overview-notices" title="Notices" href="/notices" className="border-t border-line">
        {notices === null ? <Late /> : <Notices notices={notices} />}
      </Part>
    </>
  );
}

/** The overview asks again every few seconds. */
const Late = () => <NothingHere>This cannot be read at the moment, and comes once the database answers.</NothingHere>;

function Quota({ line, nowMs, isNamed }: { line: DayQuotaLine; nowMs: number; isNamed: boolean }) {
  const { name, calls, perDay } = line;
  const isLimited = perDay !== NO_LIMIT;
  const about = forecastToday(calls, nowMs);
  const isTight = isLimited && (calls >= perDay || (about ?? 0) > perDay);
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span translate="no" className="font-mono text-[1.375rem]/8 tabular-nums">
          {formatCount(calls)}
        </span>
        <span className="text-xs13 text-dim">
          {isLimited ? `of ${formatCount(perDay)} calls` : "calls, without a limit"}
          {isNamed && `, ${name.toLowerCase()}`}
        </span>
      </p>
      <Meter label={`${name}: calls used today`} used={calls} limit={perDay} isTight={isTight} />
      {about !== null && calls > 0 && (
        <p className={`text-xs12 ${isTight ? "text-warn" : "text-faint"}`}>
          At this pace about {formatCount(about)} by midnight UTC
        </p>
      )}
    </div>
  );
}

function Fired({ alerts: { nowMs, armed, fired } }: { alerts: AlertsPart }) {
  if (fired.length === 0) {
    return (
      <p className="text-xs13 text-dim">
        None has fired{armed === 0 && ". "}
        {armed === 0 && (
          <Link href="/alerts?kind=price" className="text-accent-ink underline underline-offset-4">
            Create an alert
          </Link>
        )}
      </p>
    );
  }
  return (
    <ul className="text-xs13">
      {fired.map(({ id, name, atMs }) => (
        <li key={id} className="flex items-baseline justify-between gap-3 py-0.5">
          <Link href={`/alerts?alert=${id}`} title={name} className="truncate underline-offset-4 hover:underline">
            {name}
          </Link>
          <span className="flex-none text-xs12">
            <Moment atMs={atMs} nowMs={nowMs} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Notices({ notices: { count, newest } }: { notices: NoticesPart }) {
  if (count === 0) return <p className="text-xs13 text-dim">None new</p>;
  return (
    <>
      <ul className="text-xs13">
        {newest.map(({ id, title, href }) => (
          <li key={id} className="truncate py-0.5 pl-2.5 shadow-[inset_2px_0_0_var(--accent)]">
            <Link href={href} title={title} className="underline-offset-4 hover:underline">
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {count > newest.length && <p className="pt-1 text-xs12 text-faint">{count - newest.length} more new</p>}
    </>
  );
}
