import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { requireAccount } from "@/features/session/session";
import { readDays } from "@/features/sessions/data";
import { SessionsView } from "@/features/sessions/sessions-view";
import { getRuntime } from "@/lib/runtime";
import { isZone } from "@/lib/time/zone";

export const metadata: Metadata = { title: "Sessions" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SessionsPage({ searchParams }: Props) {
  const { zone: name } = await searchParams;
  const zone = typeof name === "string" && isZone(name) ? name : "UTC";
  await requireAccount(zone === "UTC" ? "/sessions" : `/sessions?${new URLSearchParams({ zone })}`);
  const runtime = await getRuntime();
  const days = readDays(runtime);
  return (
    <MarketTime initialMs={days.nowMs}>
      <MarketHeader title="Sessions" runtime={runtime} />
      <SessionsView initial={days} initialZone={zone} />
    </MarketTime>
  );
}
