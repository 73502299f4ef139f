import type { Metadata } from "next";
import { MarketHeader } from "@/app/(dashboard)/market-header";
import { readDays } from "@/app/(dashboard)/sessions/days/read-days";
import { requireAccount } from "@/app/session";
import { MarketTime } from "@/components/market/market-clock";
import { SessionsView } from "@/components/sessions/sessions-view";
import { getRuntime } from "@/lib/runtime";
import "@/components/sessions/sessions.css";

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

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
