import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { issueFormTicket } from "@/features/forms/form-ticket";
import { restoreKey, revokeKey } from "@/features/keys/actions";
import { isRestorableByOwner, KeyTable } from "@/features/keys/key-table";
import { isConfirmed, requireAccount } from "@/features/session/session";
import type { Key } from "@/lib/access/keys/key";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "API keys" };

/** The page has no loading state, because replacing it needs a script, and keys can be revoked without scripts. */
export default async function KeysPage() {
  const account = await requireAccount("/keys");
  const runtime = await getRuntime();
  const keys = await runtime.keys.list(account.id);
  const nowMs = runtime.now();
  const ticket = await issueFormTicket();
  const actions = { revoke: revokeKey.bind(null, ticket), restore: restoreKey.bind(null, ticket) };
  const { maxKeyLifetimeDays: maxLifetimeDays } = runtime.config;
  const table = { nowMs, maxLifetimeDays, ...actions, confirmed: await isConfirmed(account.id) };
  // A key that was just revoked stays listed while its owner can restore it.
  const isListed = (key: Key) => key.state === "active" || key.state === "disabled" || isRestorableByOwner(key);
  const active = keys.filter(isListed);
  const ended = keys.filter((key) => !isListed(key));
  const create = (
    <Link href="/keys/new" className={getButtonClass("primary")}>
      <Plus aria-hidden size={16} />
      Create key
    </Link>
  );
  return (
    <>
      <PageHeader title="API keys">
        <Link href="/audit" className={getButtonClass("quiet")}>
          Audit log
        </Link>
        {keys.length > 0 && create}
      </PageHeader>
      {active.length > 0 && <KeyTable caption="Active keys" keys={active} {...table} />}
      {active.length === 0 && (
        <EmptyState title={keys.length === 0 ? "No keys yet" : "No active keys"} action={keys.length === 0 && create}>
          {keys.length === 0
            ? "Programs call the API with a key. Create a key for each program, so that you can revoke one without stopping the others."
            : "All your keys are revoked or expired, so no program can call the API."}
        </EmptyState>
      )}
      {ended.length > 0 && (
        <details open={active.length === 0}>
          <summary className="px-4 py-3 text-xs13 text-dim">
            {ended.length} ended {ended.length === 1 ? "key" : "keys"}
          </summary>
          <KeyTable caption="Ended keys" keys={ended} {...table} />
        </details>
      )}
    </>
  );
}
