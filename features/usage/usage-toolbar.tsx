"use client";

import Form from "next/form";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { usageHref, type UsageView } from "@/features/usage/url";
import { USAGE_PERIODS } from "@/lib/access/usage/usage-report";

const PERIOD_NAMES = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;

interface UsageToolbarProps {
  view: UsageView;
  keys: readonly { readonly id: string; readonly label: string; readonly last4: string }[];
  paths: readonly string[];
}

/** Which period, key and endpoint. Links and a form, so that the page's address always says what it shows. */
export function UsageToolbar({ view, keys, paths }: UsageToolbarProps) {
  return (
    <div className="board-toolbar">
      <nav aria-label="Period" className="board-tabs">
        {USAGE_PERIODS.map((period) => (
          <Link
            key={period}
            href={usageHref({ ...view, period })}
            aria-current={period === view.period ? "true" : undefined}
            scroll={false}
            className="board-tab usage-period"
          >
            {PERIOD_NAMES[period]}
          </Link>
        ))}
      </nav>
      {/* A new key for a new view: a form keeps what was chosen in it before. */}
      <Form key={usageHref(view)} action="/usage" scroll={false} className="usage-filter">
        <input type="hidden" name="period" value={view.period} />
        <select name="key" aria-label="Key" defaultValue={view.keyId ?? ""} onChange={submit} className="usage-select">
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
          className="usage-select"
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
    </div>
  );
}

function submit({ currentTarget }: { currentTarget: HTMLSelectElement }): void {
  currentTarget.form?.requestSubmit();
}
