"use client";

import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Toolbar } from "@/components/ui/page-part";
import { SearchBox } from "@/components/ui/search-box";
import { LinkTabs } from "@/components/ui/tabs";
import type { UsageKey } from "@/features/usage/data";
import { KeyAndEndpoint } from "@/features/usage/filter-select";
import { REQUESTS_PATH, type RequestView, toRequestsHref } from "@/features/usage/request-url";
import { OUTCOMES } from "@/features/usage/usage-text";

interface RequestToolbarProps {
  view: RequestView;
  keys: readonly UsageKey[];
  paths: readonly string[];
}

/** Filters the calls. The page's address holds the choice, so that it can be bookmarked and sent. */
export function RequestToolbar({ view, keys, paths }: RequestToolbarProps) {
  const toOutcome = (outcome: RequestView["outcome"]) =>
    toRequestsHref({ ...view, outcome, code: null, beforeId: null });
  return (
    <Toolbar>
      <LinkTabs
        label="Outcome"
        tabs={[
          { href: toOutcome(null), text: "All", isCurrent: view.outcome === null },
          ...OUTCOMES.map(({ key, label }) => ({ href: toOutcome(key), text: label, isCurrent: view.outcome === key })),
        ]}
      />
      {/* A new React key for each view: a form would keep the previous choice. */}
      <Form
        key={toRequestsHref(view)}
        action={REQUESTS_PATH}
        scroll={false}
        className="flex flex-wrap gap-2 max-md:flex-[1_0_100%]"
      >
        {view.accountId !== null && <input type="hidden" name="account" value={view.accountId} />}
        {view.outcome !== null && <input type="hidden" name="outcome" value={view.outcome} />}
        {view.code !== null && <input type="hidden" name="code" value={view.code} />}
        <SearchBox
          name="text"
          label="Symbol, address, message or request id"
          type="search"
          defaultValue={view.text}
          maxLength={100}
          autoCapitalize="none"
          spellCheck={false}
          boxClassName="w-72 max-md:w-full"
        />
        <KeyAndEndpoint keys={keys} keyId={view.keyId} paths={paths} endpoint={view.endpoint} />
        <noscript>
          <Button type="submit" size="sm">
            Show
          </Button>
        </noscript>
      </Form>
    </Toolbar>
  );
}
