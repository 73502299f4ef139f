import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { readZone } from "@/components/shell/read-look";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { readDays } from "@/features/sessions/data";
import { SessionsView } from "@/features/sessions/sessions-view";
import { readSessionsChoice, toSessionsHref } from "@/features/sessions/url";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Sessions" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SessionsPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireViewer(toAddress("/sessions", params));
  const runtime = await getRuntime();
  const ownZone = await readZone();
  const choice = readSessionsChoice(params, (spelling) => runtime.resolver.find(spelling)?.symbol, ownZone);
  const days = readDays(runtime, choice.day);
  const isSimulated = runtime.listSources().some(({ mode }) => mode === "simulated");
  return (
    <MarketTime initialMs={days.nowMs}>
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
}
