"use client";

import Form from "next/form";
import { Button } from "@/components/ui/button";
import { LinkTabs } from "@/components/ui/tabs";
import { Toolbar } from "@/components/ui/toolbar";
import type { UsageKey, UsageView } from "@/features/usage/types";
import { toUsageHref } from "@/features/usage/url";
import { USAGE_PERIODS } from "@/lib/access/usage/usage-report";

const PERIOD_NAMES = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;

/** Below 16 pixels, iOS zooms the page into the field. */
const SELECT_CLASS =
  "h-8 w-52 min-w-0 rounded-md border border-edge bg-raised px-2 text-xs13 text-ink max-md:h-10 max-md:w-auto max-md:flex-[1_1_8rem] max-md:text-[1rem]";

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
        <select name="key" aria-label="Key" defaultValue={view.keyId ?? ""} onChange={submit} className={SELECT_CLASS}>
          <option value="">All keys</option>
          {keys.map(({ id, label, last4 }) => (
            <option key={id} value={id}>
              {label} …{last4}
            </option>
          ))}
        </select>
        <select
          name="endpoint"
          aria-label="Endpoint"
          defaultValue={view.endpoint ?? ""}
          onChange={submit}
          className={SELECT_CLASS}
        >
          <option value="">All endpoints</option>
          {paths.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
        <noscript>
          <Button type="submit" size="sm">
            Show
          </Button>
        </noscript>
      </Form>
    </Toolbar>
  );
}

function submit({ currentTarget }: { currentTarget: HTMLSelectElement }): void {
  currentTarget.form?.requestSubmit();
}
