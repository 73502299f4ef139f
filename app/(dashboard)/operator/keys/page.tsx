import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterForm, SearchInput } from "@/features/operator/filter-form";
import { OwnedKeyTable } from "@/features/operator/owned-key-table";
import { requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Find a key" };

const MAX_KEYS = 100;

/** Finds any account's key by its shown characters. */
export default async function FindKeyPage({ searchParams }: { searchParams: Promise<{ shown?: string | string[] }> }) {
  await requireOperator("/operator/keys");
  const params = await searchParams;
  const shown = typeof params.shown === "string" ? params.shown.trim().slice(0, 64) : "";
  const { overview, now } = await getRuntime();
  const keys = shown === "" ? [] : await overview.keys(shown, MAX_KEYS);
  return (
    <>
      <PageHeader title="Find a key">
        {keys.length > 0 && (
          <p className="text-xs13 text-dim">
            {keys.length === MAX_KEYS ? `The newest ${MAX_KEYS}` : `${keys.length} found`}
          </p>
        )}
      </PageHeader>
      <FilterForm action="/operator/keys" submit="Find">
        <SearchInput
          name="shown"
          label="Shown characters of the key"
          placeholder="fxk_live_3f9a"
          value={shown}
          maxLength={64}
        />
      </FilterForm>
      {keys.length > 0 && <OwnedKeyTable keys={keys} nowMs={now()} />}
      {keys.length === 0 && (
        <EmptyState title={shown === "" ? "Whose key is it?" : "No such key"}>
          Lists, logs and messages show a key by its first 13 characters, or by those and its last four. You do not need
          the whole key, and it is safer not to paste it anywhere.
        </EmptyState>
      )}
    </>
  );
}
