import { MarketTime } from "@/components/shared/market-clock";
import { readZone } from "@/components/shell/read-look";
import { MarketHeader } from "@/features/quotes/market-header";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { readDays } from "@/features/sessions/data";
import { SessionsView } from "@/features/sessions/sessions-view";
import { readSessionsChoice, toSessionsHref } from "@/features/sessions/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

export const generateMetadata = createMarketMetadata("Sessions");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default definePage("Sessions", async function SessionsPage({ searchParams }: Props) {
  const params = await searchParams;
  const { runtime, isPast, refusal } = await openMarketPage({ title: "Sessions", path: "/sessions", params });
  if (refusal !== null) return refusal;
  const ownZone = await readZone();
  const choice = readSessionsChoice(params, (spelling) => runtime.resolver.find(spelling)?.symbol, ownZone);
  const days = readDays(runtime, choice.day);
  const isSimulated = runtime.listSources().some(({ mode }) => mode === "simulated");
  return (
    <MarketTime initialMs={days.nowMs} isPast={isPast}>
      <MarketHeader title="Sessions" runtime={runtime} />
      <SessionsView
        key={toSessionsHref(choice, "")}
        initial={days}
        choice={choice}
        ownZone={ownZone}
        symbolName={instrumentBySymbol.get(choice.symbol)?.name ?? ""}
        isSimulated={isSimulated}
      />
    </MarketTime>
  );
});
