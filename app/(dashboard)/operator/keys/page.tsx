import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterForm, OwnedKeyTable, SearchInput } from "@/features/operator/owned-key-table";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Find a key" };

const MAX_KEYS = 100;

/** Finds any account's key by its shown characters. */
export default definePage(
  "Find a key",
  async function FindKeyPage({ searchParams }: { searchParams: Promise<{ shown?: string | string[] }> }) {
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
          <EmptyState
            art={shown === "" ? "key" : "search"}
            title={shown === "" ? "Find the owner of a key" : "No key found"}
          >
            Enter the first 13 characters of the key, as lists, logs and messages show them, or those and the last four.
            Do not paste the whole key.
          </EmptyState>
        )}
      </>
    );
  },
);
