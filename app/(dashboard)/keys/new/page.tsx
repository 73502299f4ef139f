import type { Metadata } from "next";
import { headers } from "next/headers";
import { checkAddresses, createKey } from "@/app/(dashboard)/keys/actions";
import { scopeGuides, unscopedEndpoints } from "@/app/(dashboard)/keys/scope-guides";
import { requireAccount } from "@/app/session";
import { KeyForm } from "@/components/keys/key-form";
import type { KindTerms } from "@/components/keys/kind-field";
import { PageHeader } from "@/components/shell/page-header";
import { planLabel } from "@/components/shell/plan-label";
import type { Account } from "@/lib/access/accounts";
import { parseRangeLines } from "@/lib/access/allow-list";
import { entitlementsOf, keyKinds, NO_LIMIT } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";
import "@/components/keys/keys.css";

export const metadata: Metadata = { title: "Create a key" };

const count = (limit: number): string => (limit >= NO_LIMIT ? "no limit" : limit.toLocaleString("en-US"));

function kindTerms({ plan, perMinuteLimit, perDayLimit }: Account): KindTerms[] {
  return keyKinds.map((kind) => {
    const terms = entitlementsOf(plan, kind);
    return {
      kind,
      title: kind === "standard" ? "Standard" : "Tool",
      text:
        kind === "standard"
          ? `For your own programs, on the terms of your ${planLabel(plan)} plan.`
          : "For agents, sheets and bots, on terms of its own: the calendar without released figures.",
      perMinute: count(perMinuteLimit ?? terms.perMinute),
      perDay: count(perDayLimit ?? terms.perDay),
    };
  });
}

/** The visitor's address as our own server saw it; behind anything else nobody vouches for the header. */
async function ownAddress(vouched: boolean): Promise<string | null> {
  const address = vouched ? (await headers()).get("x-forwarded-for") : null;
  const range = address === null ? undefined : parseRangeLines([address]).cidrs[0];
  return range?.replace(/\/(32|128)$/, "") ?? null;
}

export default async function NewKeyPage() {
  const account = await requireAccount("/keys/new");
  const runtime = await getRuntime();
  return (
    <>
      <PageHeader title="Create a key" />
      <KeyForm
        action={createKey}
        checkAddresses={checkAddresses}
        guides={scopeGuides}
        unscoped={unscopedEndpoints}
        kinds={kindTerms(account)}
        ownAddress={await ownAddress(runtime.behindOwnServer)}
        today={new Date(runtime.now()).toISOString().slice(0, 10)}
      />
    </>
  );
}
