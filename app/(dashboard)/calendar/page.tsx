import type { Metadata } from "next";
import { cookies } from "next/headers";
import { calendarTerms, readSheet } from "@/app/(dashboard)/calendar/sheet/read-sheet";
import { requireAccount } from "@/app/session";
import { CHOICE_COOKIE, readChoice, writeChoice } from "@/components/calendar/calendar-choice";
import { CalendarView } from "@/components/calendar/calendar-view";
import { MarketTime } from "@/components/market/market-clock";
import { UtcClock } from "@/components/market/utc-clock";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { getRuntime } from "@/lib/runtime";
import "@/components/market/board.css";
import "@/components/calendar/calendar.css";

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
  const terms = calendarTerms(account);
  if (!terms.calendar) {
    return (
      <>
        <PageHeader title="Calendar" />
        <EmptyState title="Not part of your plan">
          The economic calendar is open from the pay-as-you-go plan on, released figures from the Starter plan on.
        </EmptyState>
      </>
    );
  }
  const sheet = readSheet(runtime, choice, terms.actuals);
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
