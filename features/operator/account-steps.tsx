import type { ReactNode } from "react";
import { SelectField, TextField } from "@/components/ui/field";
import { CloseForm } from "@/features/account/close-form";
import { StepForm } from "@/features/forms/step-form";
import type { StepAction } from "@/features/forms/step-state";
import type { Account } from "@/lib/access/accounts/accounts";
import { formatPlan } from "@/lib/access/plan-text";
import { type Entitlements, NO_LIMIT, PLAN_NAMES } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/number";

interface AccountStepsProps {
  account: Account;
  /** Whether it is the operator's own. */
  isOwn: boolean;
  /** Whether the operator has no password and has just signed in again. */
  confirmed: boolean;
  steps: Readonly<Record<"setPlan" | "setLimits" | "suspend" | "resume" | "close", StepAction>>;
  /** The account's own limits, as they are typed. */
  limits: { readonly perMinute: string; readonly perDay: string };
  planLimits: Pick<Entitlements, "perMinute" | "perDay">;
}

const REASON_LENGTH = 200;
const limitWord = (limit: number) => (limit >= NO_LIMIT ? "none" : formatCount(limit));

/** What the operator can do with an account. */
export function AccountSteps({ account, isOwn, confirmed, steps, limits, planLimits }: AccountStepsProps) {
  const { id, email, plan, suspendedAtMs } = account;
  return (
    <>
      <Part name="plan" title="Plan" text="In force at once. A trial lasts 14 days from the moment it is set.">
        <StepForm id={id} action={steps.setPlan} submit="Change plan" done={`On the ${formatPlan(plan)} plan.`}>
          <SelectField id="plan" name="plan" label="Plan" defaultValue={plan} key={plan}>
            {PLAN_NAMES.map((name) => (
              <option key={name} value={name}>
                {formatPlan(name)}
              </option>
            ))}
          </SelectField>
        </StepForm>
      </Part>
      <Part
        name="limits"
        title="Limits of its own"
        text="In place of the plan’s: a number, or none for no limit. An empty field follows the plan. A daily limit set here counts tool keys and standard keys together."
      >
        <StepForm id={id} action={steps.setLimits} submit="Save limits" done="Saved. In force at once.">
          <div className="grid grid-cols-2 gap-3">
            <TextField
              id="per-minute"
              name="perMinute"
              label="Requests a minute"
              placeholder={`plan: ${limitWord(planLimits.perMinute)}`}
              defaultValue={limits.perMinute}
              key={`minute-${limits.perMinute}`}
              autoComplete="off"
            />
            <TextField
              id="per-day"
              name="perDay"
              label="Calls a day"
              placeholder={`plan: ${limitWord(planLimits.perDay)}`}
              defaultValue={limits.perDay}
              key={`day-${limits.perDay}`}
              autoComplete="off"
            />
          </div>
        </StepForm>
      </Part>
      {suspendedAtMs === null ? (
        <Part
          name="suspend"
          title="Suspend"
          text="Every call of its keys is refused with ACCOUNT_SUSPENDED, and nobody can sign in, until the account is resumed. Nothing is deleted."
        >
          <StepForm key="suspend" id={id} action={steps.suspend} submit="Suspend account" done="Resumed." look="danger">
            <Reason required />
          </StepForm>
        </Part>
      ) : (
        <Part name="resume" title="Resume" text="Its keys work and its owner can sign in again, as before.">
          <StepForm key="resume" id={id} action={steps.resume} submit="Resume account" done="Suspended.">
            <Reason />
          </StepForm>
        </Part>
      )}
      <Part
        name="close"
        title="Close"
        text={`Deletes ${isOwn ? "your own" : "the"} account with its keys, usage, sessions and everything else of it. Its keys stop working at once. The audit log keeps what was done, under an id that leads to nobody. This cannot be undone.`}
      >
        <CloseForm id={id} email={email} action={steps.close} confirmed={confirmed} />
      </Part>
    </>
  );
}

function Part({ name, title, text, children }: { name: string; title: string; text: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`${name}-title`} className="page-part">
      <h2 id={`${name}-title`}>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}

function Reason({ required = false }: { required?: boolean }) {
  return (
    <TextField
      id="reason"
      name="reason"
      label="Reason"
      hint="The audit log keeps it, which the owner can read."
      maxLength={REASON_LENGTH}
      required={required}
      autoComplete="off"
    />
  );
}
