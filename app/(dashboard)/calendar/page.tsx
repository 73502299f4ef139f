import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { readZone } from "@/components/shell/read-look";
import { CalendarView } from "@/features/calendar/calendar-view";
import { readCalendar } from "@/features/calendar/data";
import { LockedCalendar } from "@/features/calendar/locked-calendar";
import { CHOICE_COOKIE, findChoice, writeChoice } from "@/features/calendar/url";
import { toAddress } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { mayRead } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Calendar" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CalendarPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireViewer(toAddress("/calendar", params));
  const ownZone = await readZone();
  const { choice, isNamed } = findChoice(params, (await cookies()).get(CHOICE_COOKIE)?.value, ownZone);
  // The address always has the choice, so that it can be shared.
  if (!isNamed) redirect(`/calendar?${writeChoice(choice, ownZone)}`);
  const runtime = await getRuntime();
  if (!mayRead(account, "calendar")) {
    return (
      <>
        <PageHeader title="Calendar" />
        <LockedCalendar />
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
