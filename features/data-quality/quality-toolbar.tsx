"use client";

import { BookOpen, Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { AtField, useShownAt } from "@/components/ui/past";
import { keepAt, withAt } from "@/components/ui/past-address";
import { formatDay, getMonth, type QualityView, toQualityHref } from "@/features/data-quality/url";
import { DAY_MS } from "@/lib/time/units";

/** The symbol, what the words mean, and the page's data as a file and as calls. */
export function QualityToolbar({ view, name }: { view: QualityView; name: string }) {
  const router = useRouter();
  const at = useShownAt();
  const { symbol, monthMs, dayMs } = view;
  const [from, to] = dayMs === null ? [monthMs, getMonth(monthMs, 1) - DAY_MS] : [dayMs, dayMs];
  const days = { from: formatDay(from), to: formatDay(to) };
  return (
    <form method="get" className={TOOLBAR_CLASS}>
      <AtField />
      <SymbolSelect
        value={symbol}
        title={name}
        onChange={(chosen) => {
          router.push(keepAt(toQualityHref({ ...view, symbol: chosen, source: null, momentMs: null })), {
            scroll: false,
          });
        }}
      />
      <Link href="/docs/quality" className={`ml-auto ${getButtonClass("quiet", "sm")}`}>
        <BookOpen aria-hidden size={14} />
        What the words mean
      </Link>
      <a
        href={withAt(toQualityHref({ ...view, dayMs: null, momentMs: null, source: null }, "/data-quality/csv"), at)}
        download
        className={getButtonClass("quiet", "sm")}
      >
        <Download aria-hidden size={14} />
        CSV
      </a>
      <ApiCallButton
        of="Data quality"
        requests={[
          { path: "/v1/quality", query: { symbol, ...days, ...(dayMs === null ? {} : { include: "detail" }) } },
          { path: "/v1/quality/day", query: dayMs === null ? {} : { date: days.from } },
        ]}
      />
    </form>
  );
}
