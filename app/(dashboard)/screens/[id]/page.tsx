import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { readScreenView, toOwn } from "@/features/screens/data";
import { ScreenView } from "@/features/screens/screen-view";
import { toSearch } from "@/features/session/address";
import { formatMarketTitle, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: formatMarketTitle("Screen", await searchParams) };
}

/** One screen of the account. */
export default definePage("Screen", async function ScreenPage({ params, searchParams }: Props) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const page = { title: "Screen", path: `/screens/${id}`, params: given };
  const { account, runtime, isPast, refusal } = await openMarketPage(page);
  if (refusal !== null) return refusal;
  const screen = await runtime.screens.find(account.id, id);
  if (screen === null) notFound();
  const view = await readScreenView(runtime, account, toOwn(screen), toSearch(given).get("window") === "own");
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())} isPast={isPast}>
      <ScreenView key={id} {...view} />
    </MarketTime>
  );
});
