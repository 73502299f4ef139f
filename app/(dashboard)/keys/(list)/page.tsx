import { Plus } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formTicket } from "@/features/forms/form-ticket";
import { restoreKey, revokeKey } from "@/features/keys/key-actions";
import { KeyTable } from "@/features/keys/key-table";
import { isConfirmed, requireAccount } from "@/features/session/session";
import type { Key } from "@/lib/access/keys/key";
import { getRuntime } from "@/lib/runtime";

import "@/components/ui/records.css";
import "@/features/keys/keys.css";

export const metadata: Metadata = { title: "API keys" };

/** Without a loading state: it takes a script to put the page in its place, and a key can be revoked without one. */
export default async function KeysPage() {
  const account = await requireAccount("/keys");
  const runtime = await getRuntime();
  const keys = await runtime.keys.list(account.id);
  const nowMs = runtime.now();
  const ticket = await formTicket();
  const acts = { revoke: revokeKey.bind(null, ticket), restore: restoreKey.bind(null, ticket) };
  const table = { nowMs, ...acts, confirmed: await isConfirmed(account.id) };
  // A key that was revoked a moment ago stays where its owner can have it back.
  const isListed = ({ state, restorableUntilMs }: Key) =>
    state === "active" || state === "disabled" || restorableUntilMs !== null;
  const active = keys.filter(isListed);
  const ended = keys.filter((key) => !isListed(key));
  const create = (
    <Link href="/keys/new" className={buttonClass("primary")}>
      <Plus aria-hidden size={16} />
      Create key
    </Link>
  );
  return (
    <>
      <PageHeader title="API keys">
        <Link href="/audit" className={buttonClass("quiet")}>
          Audit log
        </Link>
        {keys.length > 0 && create}
      </PageHeader>
      {active.length > 0 && <KeyTable caption="Active keys" keys={active} {...table} />}
      {active.length === 0 && (
        <EmptyState title={keys.length === 0 ? "No keys yet" : "No active keys"} action={keys.length === 0 && create}>
          {keys.length === 0
            ? "A program calls the API with a key of its own. Make one for each, so that each can be ended alone."
            : "Every key you made has ended: nothing can call the API for you."}
        </EmptyState>
      )}
      {ended.length > 0 && (
        <details className="ended-keys" open={active.length === 0}>
          <summary>
            {ended.length} ended {ended.length === 1 ? "key" : "keys"}
          </summary>
          <KeyTable caption="Ended keys" keys={ended} {...table} />
        </details>
      )}
    </>
  );
}
