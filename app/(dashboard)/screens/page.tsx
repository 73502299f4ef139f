import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { MarketHeader } from "@/features/quotes/market-header";
import { findPreview, readScreenView } from "@/features/screens/data";
import { LAST_COOKIE } from "@/features/screens/ready-screens";
import { ScreenView } from "@/features/screens/screen-view";
import { ScreensStart } from "@/features/screens/screens-start";
import { toAddress, toSearch } from "@/features/session/address";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { isDemoAccount } from "@/features/session/viewer";

export const generateMetadata = createMarketMetadata("Screens");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The screen that was shown last; the screens to begin with before the first one; or one that the address contains. */
export default definePage("Screens", async function ScreensPage({ searchParams }: Props) {
  const params = await searchParams;
  const { account, runtime, isPast, refusal } = await openMarketPage({ title: "Screens", path: "/screens", params });
  if (refusal !== null) return refusal;
  const search = toSearch(params);
  const initialMs = Math.floor(runtime.marketNow());
  const preview = findPreview(search);
  if (preview !== null) {
    const view = await readScreenView(runtime, account, preview, search.get("window") === "own");
    return (
      <MarketTime initialMs={initialMs} isPast={isPast}>
        <ScreenView key={search.get("layout") ?? search.get("ready")} {...view} />
      </MarketTime>
    );
  }
  if (search.has("layout")) return <DamagedLink />;
  const hasAccount = !isDemoAccount(account);
  const screens = hasAccount ? await runtime.screens.list(account.id) : [];
  const last = (await cookies()).get(LAST_COOKIE)?.value;
  const shown = screens.find(({ id }) => id === last) ?? screens[0];
  if (shown !== undefined) redirect(toAddress(`/screens/${shown.id}`, params));
  return (
    <MarketTime initialMs={initialMs} isPast={isPast}>
      <MarketHeader title="Screens" runtime={runtime} />
      <ScreensStart hasAccount={hasAccount} />
    </MarketTime>
  );
});

function DamagedLink() {
  return (
    <>
      <PageHeader title="Screens" />
      <EmptyState
        title="This link is damaged"
        action={
          <Link href="/screens" className={getButtonClass("secondary")}>
            Your screens
          </Link>
        }
      >
        A part of it is missing, or it is of another version. Ask for it again, and copy all of it.
      </EmptyState>
    </>
  );
}
