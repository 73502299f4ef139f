import type { Metadata } from "next";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { MarketTime } from "@/components/shared/market-clock";
import { listApiRequests, readOverview } from "@/features/overview/data";
import { OverviewView } from "@/features/overview/overview-view";
import { MarketHeader } from "@/features/quotes/market-header";
import { requireViewer } from "@/features/session/viewer";
import { readApiOrigin } from "@/features/session/visitor";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Overview" };

/** The first page after signing in: the markets now and the account's use, or the way to a first call. */
export default async function OverviewPage() {
  const account = await requireViewer("/overview");
  const runtime = await getRuntime();
  const data = await readOverview(runtime, account);
  return (
    <MarketTime initialMs={data.nowMs}>
      <MarketHeader title="Overview" runtime={runtime}>
        <ApiCallButton of="Overview" requests={listApiRequests(data)} />
      </MarketHeader>
      <OverviewView initial={data} origin={await readApiOrigin()} isOperator={account.role === "operator"} />
    </MarketTime>
  );
}
