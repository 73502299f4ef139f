import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { readZone } from "@/components/shell/read-zone";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { CalendarView } from "@/features/calendar/calendar-view";
import { readCalendar } from "@/features/calendar/data";
import { CHOICE_COOKIE, findChoice, writeChoice } from "@/features/calendar/url";
import { toAddress } from "@/features/session/address";
import { requireAccount } from "@/features/session/session";
import { formatPlansWith } from "@/lib/access/plan-text";
import { mayRead } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Calendar" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CalendarPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireAccount(toAddress("/calendar", params));
  const ownZone = await readZone();
  const { choice, isRemembered } = findChoice(params, (await cookies()).get(CHOICE_COOKIE)?.value, ownZone);
  // The address always has the choice, so that it can be shared.
  if (isRemembered) redirect(`/calendar?${writeChoice(choice, ownZone)}`);
  const runtime = await getRuntime();
  if (!mayRead(account, "calendar")) {
    return (
      <>
        <PageHeader title="Calendar" />
        <EmptyState
          title="Not part of your plan"
          action={
            <Link href="/plan" className={getButtonClass("secondary")}>
              Compare plans
            </Link>
          }
        >
          The economic calendar is included in {formatPlansWith("calendar")}, released figures in{" "}
          {formatPlansWith("actuals")}.
        </EmptyState>
      </>
    );
  }
  const data = readCalendar(runtime, choice, mayRead(account, "actuals"));
  return (
    <MarketTime initialMs={data.nowMs}>
      <CalendarView initial={data} choice={choice} ownZone={ownZone} key={writeChoice(choice, "")} />
    </MarketTime>
  );
}
