import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { requireOperator } from "@/features/operator/operator";
import { OwnedKeyTable } from "@/features/operator/owned-key-table";
import { SearchInput } from "@/features/operator/search-input";
import { getRuntime } from "@/lib/runtime";

import "@/components/ui/records.css";
import "@/features/keys/keys.css";
import "@/features/operator/operator.css";

export const metadata: Metadata = { title: "Find a key" };

const MOST_FOUND = 100;

/** Finds a key, whoever's it is, by what is shown of it. */
export default async function FindKeyPage({ searchParams }: { searchParams: Promise<{ shown?: string | string[] }> }) {
  await requireOperator("/operator/keys");
  const { shown: asked } = await searchParams;
  const shown = typeof asked === "string" ? asked.trim().slice(0, 64) : "";
  const { overview, now } = await getRuntime();
  const keys = shown === "" ? [] : await overview.keys(shown, MOST_FOUND);
  return (
    <>
      <PageHeader title="Find a key">
        {keys.length > 0 && (
          <p className="text-[0.8125rem] text-dim">
            {keys.length === MOST_FOUND ? `The newest ${MOST_FOUND}` : `${keys.length} found`}
          </p>
        )}
      </PageHeader>
      <form action="/operator/keys" role="search" className="operator-filter">
        <SearchInput
          name="shown"
          label="What is shown of the key"
          placeholder="fxk_live_3f9a"
          value={shown}
          maxLength={64}
        />
        <Button type="submit">Find</Button>
      </form>
      {keys.length > 0 && <OwnedKeyTable keys={keys} nowMs={now()} />}
      {keys.length === 0 && (
        <EmptyState title={shown === "" ? "Whose key is it?" : "No such key"}>
          Lists, logs and messages show a key by its first 13 characters, or by those and its last four. The key itself
          is not needed, and is better not pasted anywhere.
        </EmptyState>
      )}
    </>
  );
}
