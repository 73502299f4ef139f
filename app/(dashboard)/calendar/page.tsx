import type { Metadata } from "next";
import { cookies } from "next/headers";
import { MarketTime } from "@/components/shared/market-clock";
import { UtcClock } from "@/components/shared/utc-clock";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { CalendarView } from "@/features/calendar/calendar-view";
import { readSheet } from "@/features/calendar/data";
import { CHOICE_COOKIE, readChoice, writeChoice } from "@/features/calendar/url";
import { requireAccount } from "@/features/session/session";
import { formatPlansWith } from "@/lib/access/plan-text";
import { mayRead } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

import "@/features/quotes/board.css";
import "@/features/calendar/calendar.css";

export const metadata: Metadata = { title: "Calendar" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CalendarPage({ searchParams }: Props) {
  const asked = queryOf(await searchParams);
  const account = await requireAccount(asked === "" ? "/calendar" : `/calendar?${asked}`);
  // An address that says nothing shows what was chosen on the last visit.
  const remembered = asked === "" ? (await cookies()).get(CHOICE_COOKIE)?.value : undefined;
  const choice = readChoice(asked || (remembered ?? ""));
  const runtime = await getRuntime();
  if (!mayRead(account, "calendar")) {
    return (
      <>
        <PageHeader title="Calendar" />
        <EmptyState title="Not part of your plan">
          The economic calendar comes with the plans {formatPlansWith("calendar")}, released figures with{" "}
          {formatPlansWith("actuals")}.
        </EmptyState>
      </>
    );
  }
  const sheet = readSheet(runtime, choice, mayRead(account, "actuals"));
  return (
    <MarketTime initialMs={sheet.nowMs}>
      <PageHeader title="Calendar">
        {sheet.simulated && <DataModeBadge mode="simulated" what="events" />}
        <UtcClock dated={false} />
      </PageHeader>
      <CalendarView initial={sheet} choice={choice} key={writeChoice(choice)} />
    </MarketTime>
  );
}

function queryOf(given: Record<string, string | string[] | undefined>): string {
  const pairs = Object.entries(given).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return writeChoice(readChoice(new URLSearchParams(pairs).toString()));
}
