import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { issueFormTicket } from "@/features/forms/define-action";
import { checkAddresses, createKey } from "@/features/keys/actions";
import { readKindTerms, readScopeGuides } from "@/features/keys/data";
import { KeyForm } from "@/features/keys/key-form";
import { readLifetime } from "@/features/keys/types";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireAccount } from "@/features/session/session";
import { readAllowedAddress } from "@/features/session/visitor";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Create a key" };

export default definePage("Create a key", async function NewKeyPage() {
  const account = await requireAccount("/keys/new");
  const runtime = await getRuntime();
  const nowMs = runtime.now();
  return (
    <>
      <PageHeader title="Create a key" />
      <KeyForm
        action={createKey.bind(null, await issueFormTicket())}
        checkAddresses={checkAddresses}
        {...readScopeGuides(runtime)}
        kinds={readKindTerms(account)}
        confirmed={await isConfirmed(account.id)}
        ownAddress={await readAllowedAddress()}
        today={new Date(nowMs).toISOString().slice(0, 10)}
        lifetime={readLifetime(runtime.config.maxKeyLifetimeDays, nowMs, nowMs)}
      />
    </>
  );
});
