import { ApiCallButton } from "@/components/shared/api-call-button";
import { MarketTime } from "@/components/shared/market-clock";
import { listApiRequests, readOverview } from "@/features/overview/data";
import { OverviewView } from "@/features/overview/overview-view";
import { MarketHeader } from "@/features/quotes/market-header";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { readApiOrigin } from "@/features/session/visitor";

export const generateMetadata = createMarketMetadata("Overview");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The first page after signing in: the markets now and the account's use, or the way to a first call. */
export default definePage("Overview", async function OverviewPage({ searchParams }: Props) {
  const page = { title: "Overview", path: "/overview", params: await searchParams };
  const { account, runtime, isPast, refusal } = await openMarketPage(page);
  if (refusal !== null) return refusal;
  const data = await readOverview(runtime, account);
  return (
    <MarketTime initialMs={data.nowMs} isPast={isPast}>
      <MarketHeader title="Overview" runtime={runtime}>
        <ApiCallButton of="Overview" requests={listApiRequests(data)} />
      </MarketHeader>
      <OverviewView initial={data} origin={await readApiOrigin()} isOperator={account.role === "operator"} />
    </MarketTime>
  );
});
