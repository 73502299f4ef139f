import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress } from "@/features/session/address";
import { requireAccount } from "@/features/session/session";
import { readDays } from "@/features/sessions/data";
import { SessionsView } from "@/features/sessions/sessions-view";
import { readSessionsChoice, toSessionsHref } from "@/features/sessions/url";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Sessions" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SessionsPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireAccount(toAddress("/sessions", params));
  const choice = readSessionsChoice(params);
  const runtime = await getRuntime();
  const days = readDays(runtime);
  const isSimulated = runtime.listSources().some(({ mode }) => mode === "simulated");
  return (
    <MarketTime initialMs={days.nowMs}>
      <MarketHeader title="Sessions" runtime={runtime} />
      <SessionsView key={toSessionsHref(choice)} initial={days} choice={choice} isSimulated={isSimulated} />
    </MarketTime>
  );
}
