import type { FormSetup } from "@/features/alerts/components/form-setup";
import { readSymbolNow } from "@/features/alerts/data";
import { writeAlertForm } from "@/features/alerts/form-values";
import { ALERT_KINDS } from "@/features/alerts/types";
import type { AlertsChoice } from "@/features/alerts/url";
import type { Account } from "@/lib/access/accounts/account";
import { formatPlansWith } from "@/lib/access/plan-text";
import { mayRead } from "@/lib/access/plans";
import { findEntitlement } from "@/lib/alerts/alerts";
import type { Runtime } from "@/lib/runtime";

/** Reads what the form needs, but for its action; null if the alert to edit does not exist. */
export async function readFormSetup(
  runtime: Runtime,
  account: Account,
  { values: first, editedId }: AlertsChoice,
): Promise<Omit<FormSetup, "action"> | null> {
  const edited = editedId === null ? null : await runtime.alerts.find(account.id, editedId);
  if (editedId !== null && edited === null) return null;
  const values = edited === null ? first : writeAlertForm(edited);
  const locked = ALERT_KINDS.flatMap((kind) => {
    const entitlement = findEntitlement(kind);
    return entitlement === null || mayRead(account, entitlement) ? [] : [[kind, formatPlansWith(entitlement)]];
  });
  return {
    ...{ values, editedId, email: account.email, hasMail: runtime.config.mail !== null },
    symbols: runtime.instruments.map(({ symbol, name, category }) => ({ symbol, name, category })),
    quote: readSymbolNow(runtime, values.symbol),
    locked: Object.fromEntries(locked) as FormSetup["locked"],
  };
}
