import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { getButtonClass } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Meter } from "@/components/ui/meter";
import { State } from "@/components/ui/state";
import { type Column, Table } from "@/components/ui/table";
import { FILTER_BOX, FilterForm, SearchInput } from "@/features/operator/owned-key-table";
import type { AccountLine, EndpointUse } from "@/lib/access/accounts/account-search";
import type { Account } from "@/lib/access/accounts/accounts";
import { formatPlan, getEntitlements, PLAN_NAMES, type PlanName } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/text";

export function AccountTable({ lines, nowMs }: { lines: readonly AccountLine[]; nowMs: number }) {
  const columns: readonly Column<AccountLine>[] = [
    {
      heading: "E-mail",
      cell: ({ id, email, role }) => (
        <>
          <Link
            href={`/operator/accounts/${id}`}
            className="mr-2 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {email}
          </Link>
          {role === "operator" && <Badge>operator</Badge>}
        </>
      ),
    },
    { heading: "Plan", cell: ({ plan }) => formatPlan(plan) },
    { heading: "State", cell: ({ suspendedAtMs }) => <AccountState suspendedAtMs={suspendedAtMs} nowMs={nowMs} /> },
    {
      heading: "Active keys",
      tip: "Keys that can be used now",
      isNumeric: true,
      cell: ({ activeKeys, keys }) => (
        <>
          {formatCount(activeKeys)}
          {keys > activeKeys && <span className="text-faint"> of {formatCount(keys)}</span>}
        </>
      ),
    },
    {
      heading: "Calls today",
      tip: "Answered since midnight UTC",
      isNumeric: true,
      cellClassName: "[&_[role=meter]]:wide:ml-auto",
      cell: (line) => (
        <>
          {formatCount(line.callsToday)}
          <DayMeter account={line} calls={line.callsToday} label={`${line.email}: calls used today`} />
        </>
      ),
    },
    { heading: "Created", cell: ({ createdAtMs }) => <Moment atMs={createdAtMs} nowMs={nowMs} /> },
  ];
  return <Table caption="Accounts" columns={columns} rows={lines} getKey={({ id }) => id} look="cards" />;
}

interface DayMeterProps {
  account: Pick<Account, "plan" | "perDayLimit">;
  /** Answered since midnight UTC. */
  calls: number;
  label: string;
}

/** How much of its calls a day an account has used. */
function DayMeter({ account: { plan, perDayLimit }, calls, label }: DayMeterProps) {
  const limit = perDayLimit ?? getEntitlements(plan, "standard").perDay;
  return <Meter label={label} used={calls} limit={limit} isTight={calls >= limit} className="mt-1 max-w-40" />;
}

interface AccountFilterProps {
  search: string;
  state: "active" | "suspended" | undefined;
  plan: PlanName | undefined;
}

/** Filters the accounts by a text, a plan and a state. */
export function AccountFilter({ search, state, plan }: AccountFilterProps) {
  return (
    <FilterForm action="/operator/accounts" submit="Search">
      <SearchInput
        name="search"
        label="E-mail, account id or key"
        placeholder="E-mail, account id or fxk_live_…"
        value={search}
        maxLength={254}
      />
      <select name="plan" aria-label="Plan" defaultValue={plan ?? ""} key={`plan-${plan}`} className={FILTER_BOX}>
        <option value="">Any plan</option>
        {PLAN_NAMES.map((name) => (
          <option key={name} value={name}>
            {formatPlan(name)}
          </option>
        ))}
      </select>
      <select name="state" aria-label="State" defaultValue={state ?? ""} key={`state-${state}`} className={FILTER_BOX}>
        <option value="">Any state</option>
        <option value="active">Active</option>
        <option value="suspended">Suspended</option>
      </select>
    </FilterForm>
  );
}

/** The state of an account: active, or suspended with the time since then. */
function AccountState({ suspendedAtMs, nowMs }: { suspendedAtMs: number | null; nowMs: number }) {
  if (suspendedAtMs === null) return <State look="good">active</State>;
  return (
    <State look="warning">
      suspended <Moment atMs={suspendedAtMs} nowMs={nowMs} />
    </State>
  );
}

interface AccountSummaryProps {
  account: Account;
  /** Its calls today. */
  uses: readonly EndpointUse[];
  nowMs: number;
}

/** The facts of an account now. */
export function AccountSummary({ account, uses, nowMs }: AccountSummaryProps) {
  const { id, role, plan, trialEndsAtMs, suspendedAtMs, suspendedReason, createdAtMs } = account;
  const sum = (pick: (use: EndpointUse) => number) => formatCount(uses.reduce((total, use) => total + pick(use), 0));
  return (
    <Facts>
      <Fact name="State">
        <AccountState suspendedAtMs={suspendedAtMs} nowMs={nowMs} />
        {suspendedReason !== null && <span className="block text-dim">{suspendedReason}</span>}
      </Fact>
      <Fact name="Plan">
        {formatPlan(plan)}
        {trialEndsAtMs !== null && (
          <span className="text-dim">
            , ends <Moment atMs={trialEndsAtMs} nowMs={nowMs} />
          </span>
        )}
      </Fact>
      <Fact name="Role">{role}</Fact>
      <Fact name="Calls today">
        <Figure>{sum(({ calls }) => calls)}</Figure>
        <span className="text-dim">
          , {sum(({ refused }) => refused)} refused, {sum(({ credits }) => credits)} credits
        </span>
        <DayMeter
          account={account}
          calls={uses.reduce((total, { calls }) => total + calls, 0)}
          label="Calls used today"
        />
      </Fact>
      <Fact name="Created">
        <Moment atMs={createdAtMs} nowMs={nowMs} />
      </Fact>
      <Fact name="Id">
        <Figure as="code" className="text-xs12 [overflow-wrap:anywhere]">
          {id}
        </Figure>
      </Fact>
    </Facts>
  );
}

interface PagerProps {
  page: number;
  pages: number;
  path: string;
  /** The filter, repeated in the links. */
  query: Readonly<Record<string, string | undefined>>;
}

/** Links to the other pages of a long list. */
export function Pager({ page, pages, path, query }: PagerProps) {
  if (pages <= 1 && page === 1) return null;
  const to = (other: number) => {
    const params = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
    return `${path}?${new URLSearchParams([...params, ["page", String(other)]])}`;
  };
  return (
    <nav aria-label="Pages" className="flex items-center gap-3 px-4 py-4 text-xs13">
      {page > 1 && (
        <Link href={to(Math.min(page - 1, Math.max(1, pages)))} className={getButtonClass("secondary", "sm")}>
          Newer
        </Link>
      )}
      <span className="numerals text-dim">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link href={to(page + 1)} className={getButtonClass("secondary", "sm")}>
          Older
        </Link>
      )}
    </nav>
  );
}

interface AccountQuery {
  readonly search: string;
  readonly state: "active" | "suspended" | undefined;
  readonly plan: PlanName | undefined;
  /** From 1. */
  readonly page: number;
}

const MAX_PAGE = 100_000;

/** Reads the filter and the page from an address. Invalid values are ignored. */
export function readAccountQuery(params: Readonly<Record<string, string | string[] | undefined>>): AccountQuery {
  const text = (name: string) => {
    const value = params[name];
    return (typeof value === "string" ? value : (value?.[0] ?? "")).replaceAll("\0", "").trim();
  };
  const page = Number(text("page"));
  return {
    search: text("search").slice(0, 254),
    state: (["active", "suspended"] as const).find((state) => state === text("state")),
    plan: PLAN_NAMES.find((plan) => plan === text("plan")),
    page: Number.isSafeInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}
