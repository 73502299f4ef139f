import { Button } from "@/components/ui/button";
import { filterBox, SearchInput } from "@/features/operator/search-input";
import { formatPlan } from "@/lib/access/plan-text";
import { type PlanName, PLAN_NAMES } from "@/lib/access/plans";

interface AccountFilterProps {
  search: string;
  state: "active" | "suspended" | undefined;
  plan: PlanName | undefined;
}

/** Asks for some of the accounts. A form that only asks: what it asks for is then in the page's address. */
export function AccountFilter({ search, state, plan }: AccountFilterProps) {
  return (
    <form action="/operator/accounts" role="search" className="operator-filter">
      <SearchInput
        name="search"
        label="E-mail, account id or key"
        placeholder="E-mail, account id or fxk_live_…"
        value={search}
        maxLength={254}
      />
      <select name="plan" aria-label="Plan" defaultValue={plan ?? ""} key={`plan-${plan}`} className={filterBox}>
        <option value="">Any plan</option>
        {PLAN_NAMES.map((name) => (
          <option key={name} value={name}>
            {formatPlan(name)}
          </option>
        ))}
      </select>
      <select name="state" aria-label="State" defaultValue={state ?? ""} key={`state-${state}`} className={filterBox}>
        <option value="">Any state</option>
        <option value="active">Active</option>
        <option value="suspended">Suspended</option>
      </select>
      <Button type="submit">Search</Button>
    </form>
  );
}
