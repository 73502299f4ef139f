import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { requireAccount } from "@/features/session/session";
import { readDays } from "@/features/sessions/data";
import { SessionsView } from "@/features/sessions/sessions-view";
import { getRuntime } from "@/lib/runtime";
import { isZone } from "@/lib/time/zone";

import "@/features/sessions/sessions.css";

export const metadata: Metadata = { title: "Sessions" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SessionsPage({ searchParams }: Props) {
  const { zone } = await searchParams;
  const asked = typeof zone === "string" && isZone(zone) ? zone : "UTC";
  await requireAccount(asked === "UTC" ? "/sessions" : `/sessions?${new URLSearchParams({ zone: asked })}`);
  const runtime = await getRuntime();
  const days = readDays(runtime);
  return (
    <MarketTime initialMs={days.nowMs}>
      <MarketHeader title="Sessions" runtime={runtime} />
      <SessionsView initial={days} initialZone={asked} />
    </MarketTime>
  );
}
