import { SelectField, TextField } from "@/components/ui/field";
import { PagePart, PageParts } from "@/components/ui/page-part";
import { type Column, Table } from "@/components/ui/table";
import { CloseForm } from "@/features/account/close-form";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { EndpointUse } from "@/lib/access/accounts/account-search";
import type { Account } from "@/lib/access/accounts/accounts";
import { type Entitlements, formatPlan, NO_LIMIT, PLAN_NAMES } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/text";

interface AccountStepsProps {
  account: Account;
  /** Whether it is the operator's own account. */
  isOwn: boolean;
  /** Whether the operator was confirmed a moment ago. */
  confirmed: boolean;
  /** Whether the operator has a password, which closing an account always needs. */
  hasPassword: boolean;
  steps: Readonly<Record<"setPlan" | "setLimits" | "suspend" | "resume" | "close", FormAction>>;
  /** The account's custom limits, as the operator types them in. */
  limits: { readonly perMinute: string; readonly perDay: string };
  planLimits: Pick<Entitlements, "perMinute" | "perDay">;
}

const REASON_LENGTH = 200;
const formatPlanLimit = (limit: number) => (limit >= NO_LIMIT ? "none" : formatCount(limit));

/** The forms with which an operator changes an account. */
export function AccountSteps(props: AccountStepsProps) {
  const { account, isOwn, confirmed, hasPassword, steps, limits, planLimits } = props;
  const { id, email, plan } = account;
  return (
    <PageParts>
      <PagePart
        titleId="plan-title"
        title="Plan"
        text="Takes effect immediately. A trial lasts 14 days from the moment it is set."
      >
        <ActionForm
          id={id}
          action={steps.setPlan}
          confirmed={confirmed}
          submit="Change plan"
          done={`The account is now on the ${formatPlan(plan)} plan.`}
        >
          <SelectField id="plan" name="plan" label="Plan" defaultValue={plan} key={plan}>
            {PLAN_NAMES.map((name) => (
              <option key={name} value={name}>
                {formatPlan(name)}
              </option>
            ))}
          </SelectField>
        </ActionForm>
      </PagePart>
      <PagePart
        titleId="limits-title"
        title="Custom limits"
        text="Custom limits replace the plan’s limits. Enter a number, or “none” for no limit. Leave a field empty to use the plan’s limit. A custom daily limit counts tool keys and standard keys together."
      >
        <ActionForm
          id={id}
          action={steps.setLimits}
          confirmed={confirmed}
          submit="Save limits"
          done="Saved. The limits apply now."
        >
          <div className="grid grid-cols-2 gap-3">
            <TextField
              id="per-minute"
              name="perMinute"
              label="Requests a minute"
              placeholder={`plan: ${formatPlanLimit(planLimits.perMinute)}`}
              defaultValue={limits.perMinute}
              key={`minute-${limits.perMinute}`}
              autoComplete="off"
            />
            <TextField
              id="per-day"
              name="perDay"
              label="Calls a day"
              placeholder={`plan: ${formatPlanLimit(planLimits.perDay)}`}
              defaultValue={limits.perDay}
              key={`day-${limits.perDay}`}
              autoComplete="off"
            />
          </div>
        </ActionForm>
      </PagePart>
      <SuspensionPart {...{ account, steps, confirmed }} />
      <PagePart
        titleId="close-title"
        title="Close"
        text={`Deletes ${isOwn ? "your own" : "the"} account with its keys, usage, sessions and all other data. Its keys stop working immediately. The audit log keeps its events under an anonymous id. This cannot be undone.`}
      >
        <CloseForm id={id} email={email} action={steps.close} confirmed={!hasPassword && confirmed} />
      </PagePart>
    </PageParts>
  );
}

function SuspensionPart({ account, steps, confirmed }: Pick<AccountStepsProps, "account" | "steps" | "confirmed">) {
  const { id, suspendedAtMs } = account;
  return suspendedAtMs === null ? (
    <PagePart
      titleId="suspend-title"
      title="Suspend"
      text="Every call with its keys is refused with ACCOUNT_SUSPENDED, and its owner cannot sign in, until you resume the account. Nothing is deleted."
    >
      <ActionForm
        key="suspend"
        id={id}
        action={steps.suspend}
        confirmed={confirmed}
        submit="Suspend account"
        look="danger"
      >
        <Reason required />
      </ActionForm>
    </PagePart>
  ) : (
    <PagePart
      titleId="resume-title"
      title="Resume"
      text="The keys of the account work again and its owner can sign in again."
    >
      <ActionForm key="resume" id={id} action={steps.resume} confirmed={confirmed} submit="Resume account">
        <Reason />
      </ActionForm>
    </PagePart>
  );
}

function Reason({ required = false }: { required?: boolean }) {
  return (
    <TextField
      id="reason"
      name="reason"
      label="Reason"
      hint="Stored in the audit log, where the owner of the account can read it."
      maxLength={REASON_LENGTH}
      required={required}
      autoComplete="off"
    />
  );
}

const COLUMNS: readonly Column<EndpointUse>[] = [
  { heading: "Endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "Answered", isNumeric: true, cell: ({ calls }) => formatCount(calls) },
  { heading: "Refused", isNumeric: true, cell: ({ refused }) => formatCount(refused) },
  { heading: "Credits", isNumeric: true, cell: ({ credits }) => formatCount(credits) },
];

/** Calls by endpoint, most called first. */
export function UseTable({ uses }: { uses: readonly EndpointUse[] }) {
  return (
    <Table
      caption="Calls by endpoint"
      columns={COLUMNS}
      rows={uses}
      getKey={({ endpoint }) => endpoint}
      look="text"
      className="w-full"
      cellClassName="border-b border-line px-4 py-1.75"
    />
  );
}
