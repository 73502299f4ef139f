import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { formTicket } from "@/features/forms/form-ticket";
import { checkAddresses, createKey } from "@/features/keys/actions";
import { KeyForm } from "@/features/keys/key-form";
import { kindTerms } from "@/features/keys/kind-terms";
import { scopeGuides, unscopedEndpoints } from "@/features/keys/scope-guides";
import { requireAccount } from "@/features/session/session";
import { visitorAddress } from "@/features/session/visitor";
import { getRuntime } from "@/lib/runtime";

import "@/features/keys/keys.css";

export const metadata: Metadata = { title: "Create a key" };

export default async function NewKeyPage() {
  const account = await requireAccount("/keys/new");
  const runtime = await getRuntime();
  return (
    <>
      <PageHeader title="Create a key" />
      <KeyForm
        action={createKey.bind(null, await formTicket())}
        checkAddresses={checkAddresses}
        guides={scopeGuides}
        unscoped={unscopedEndpoints}
        kinds={kindTerms(account)}
        ownAddress={await visitorAddress()}
        today={new Date(runtime.now()).toISOString().slice(0, 10)}
      />
    </>
  );
}
