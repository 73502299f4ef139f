import type { Metadata } from "next";
import { checkAddresses, createKey } from "@/app/(dashboard)/keys/actions";
import { kindTerms } from "@/app/(dashboard)/keys/kind-terms";
import { scopeGuides, unscopedEndpoints } from "@/app/(dashboard)/keys/scope-guides";
import { formTicket } from "@/app/form-ticket";
import { requireAccount } from "@/app/session";
import { visitorAddress } from "@/app/visitor";
import { KeyForm } from "@/components/keys/key-form";
import { PageHeader } from "@/components/shell/page-header";
import { getRuntime } from "@/lib/runtime";
import "@/components/keys/keys.css";

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
