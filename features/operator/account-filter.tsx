import { FILTER_BOX, FilterForm, SearchInput } from "@/features/operator/filter-form";
import { formatPlan } from "@/lib/access/plan-text";
import { PLAN_NAMES, type PlanName } from "@/lib/access/plans";

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
