import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { issueFormTicket } from "@/features/forms/define-action";
import { restoreKey, revokeKey } from "@/features/keys/actions";
import {
  findKeys,
  isRestorableByOwner,
  KeySearch,
  KeyTable,
  readKeyListView,
  sortKeys,
} from "@/features/keys/key-table";
import { toAddress } from "@/features/session/address";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireAccount } from "@/features/session/session";
import type { Key } from "@/lib/access/keys/key";
import { readKeyHours, sumCalls } from "@/lib/access/usage/key-hours";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "API keys" };

/** A list of more keys can be searched and sorted. */
const MOST_UNSORTED = 10;

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The page has no loading state, because replacing it needs a script, and keys can be revoked without scripts. */
export default definePage("API keys", async function KeysPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireAccount(toAddress("/keys", params));
  const runtime = await getRuntime();
  const keys = await runtime.keys.list(account.id);
  const nowMs = runtime.now();
  const ticket = await issueFormTicket();
  const actions = { revoke: revokeKey.bind(null, ticket), restore: restoreKey.bind(null, ticket) };
  const { maxKeyLifetimeDays: maxLifetimeDays } = runtime.config;
  const hours = await readKeyHours(runtime.database.pool, account.id, nowMs);
  const view = keys.length > MOST_UNSORTED ? readKeyListView(params) : null;
  const table = { nowMs, maxLifetimeDays, hours, view, ...actions, confirmed: await isConfirmed(account.id) };
  // A key that was just revoked stays listed while its owner can restore it.
  const isListed = (key: Key) => key.state === "active" || key.state === "disabled" || isRestorableByOwner(key);
  const found =
    view === null ? keys : sortKeys(findKeys(keys, view.text), view.sort, ({ id }) => sumCalls(hours.get(id)));
  const active = found.filter(isListed);
  const ended = found.filter((key) => !isListed(key));
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
        {keys.some(isListed) && create}
      </PageHeader>
      {view !== null && <KeySearch view={view} />}
      {active.length > 0 && <KeyTable caption="Active keys" keys={active} {...table} />}
      {found.length === 0 && view !== null && (
        <EmptyState
          art="search"
          title="No key matches"
          action={
            <Link href="/keys" className={getButtonClass("secondary")}>
              Show all keys
            </Link>
          }
        >
          None of your {keys.length} keys has “{view.text}” in its label, scopes, addresses or last characters.
        </EmptyState>
      )}
      {active.length === 0 && (view === null || view.text === "") && (
        <EmptyState art="key" title={keys.length === 0 ? "No keys yet" : "No active keys"} action={create}>
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
});
