import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { readZone } from "@/components/shell/read-look";
import { readAt, withAt } from "@/components/ui/past-address";
import { CalendarView } from "@/features/calendar/calendar-view";
import { readCalendar } from "@/features/calendar/data";
import { LockedCalendar } from "@/features/calendar/locked-calendar";
import { CHOICE_COOKIE, findChoice, writeChoice } from "@/features/calendar/url";
import { toSearch } from "@/features/session/address";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { mayRead } from "@/lib/access/plans";

export const generateMetadata = createMarketMetadata("Calendar");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default definePage("Calendar", async function CalendarPage({ searchParams }: Props) {
  const params = await searchParams;
  const page = { title: "Calendar", path: "/calendar", params, needs: "events" } as const;
  const { account, runtime, isPast, refusal } = await openMarketPage(page);
  if (refusal !== null) return refusal;
  const ownZone = await readZone();
  const { choice, isNamed } = findChoice(params, (await cookies()).get(CHOICE_COOKIE)?.value, ownZone);
  // The address always has the choice, so that it can be shared.
  if (!isNamed) redirect(withAt(`/calendar?${writeChoice(choice, ownZone)}`, readAt(toSearch(params))));
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
    <MarketTime initialMs={data.nowMs} isPast={isPast}>
      <CalendarView initial={data} choice={choice} ownZone={ownZone} key={writeChoice(choice, "")} />
    </MarketTime>
  );
});
