"use client";

import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Toolbar } from "@/components/ui/page-part";
import { LinkTabs } from "@/components/ui/tabs";
import type { UsageKey } from "@/features/usage/data";
import { KeyAndEndpoint } from "@/features/usage/filter-select";
import { toUsageHref, type UsageView } from "@/features/usage/url";
import { USAGE_PERIODS } from "@/lib/access/usage/usage-report";

const PERIOD_NAMES = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;

interface UsageToolbarProps {
  view: UsageView;
  keys: readonly UsageKey[];
  paths: readonly string[];
}

/** Chooses the period, the key and the endpoint. The page's address holds the choice. */
export function UsageToolbar({ view, keys, paths }: UsageToolbarProps) {
  return (
    <Toolbar>
      <LinkTabs
        label="Period"
        tabs={USAGE_PERIODS.map((period) => ({
          href: toUsageHref({ ...view, period }),
          text: PERIOD_NAMES[period],
          isCurrent: period === view.period,
        }))}
      />
      {/* A new React key for each view: a form would keep the previous choice. */}
      <Form
        key={toUsageHref(view)}
        action="/usage"
        scroll={false}
        className="ml-auto flex flex-wrap gap-2 max-md:ml-0 max-md:flex-[1_0_100%]"
      >
        <input type="hidden" name="period" value={view.period} />
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
