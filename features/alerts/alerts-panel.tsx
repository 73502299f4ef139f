"use client";

import { Plus } from "lucide-react";
import { PanelLoading, PanelMessage, PanelStale } from "@/components/shared/panel";
import { Link } from "@/components/ui/link";
import { useShownAt } from "@/components/ui/past";
import { useFresh } from "@/components/ui/use-fresh";
import { AlertName, Now, StatusMark } from "@/features/alerts/alert-table";
import { REFRESH_MS } from "@/features/alerts/alerts-view";
import type { AlertsData } from "@/features/alerts/types";

interface AlertsPanelProps {
  /** Shows the alerts of one symbol; null for all. */
  symbol: string | null;
  /** Whether the visitor has an account. */
  hasAccount: boolean;
}

/** The alerts of the account in a panel of a screen. They are of the present. */
export function AlertsPanel({ symbol, hasAccount }: AlertsPanelProps) {
  if (useShownAt() !== null) {
    return <PanelMessage title="Alerts are of the present">They are not part of a second of the past.</PanelMessage>;
  }
  if (!hasAccount) return <PanelMessage title="Alerts belong to an account">Sign in to have your own.</PanelMessage>;
  return <OwnAlerts symbol={symbol} />;
}

function OwnAlerts({ symbol }: { symbol: string | null }) {
  const { data, isOffline } = useFresh<AlertsData>("/alerts/data", REFRESH_MS);
  if (data === undefined) {
    return isOffline ? (
      <PanelMessage title="Alerts could not be loaded">Trying again.</PanelMessage>
    ) : (
      <PanelLoading what="alerts" />
    );
  }
  const shown = symbol === null ? data.alerts : data.alerts.filter((alert) => alert.symbol === symbol);
  return (
    <>
      {isOffline && <PanelStale />}
      {shown.length === 0 && (
        <PanelMessage title={symbol === null ? "No alerts yet" : `No alert on ${symbol}`}>
          <NewAlert symbol={symbol} />
        </PanelMessage>
      )}
      <ul>
        {shown.map((alert) => (
          <li
            key={alert.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line px-3 py-1.5 text-xs13"
          >
            <span className="min-w-0">
              <AlertName alert={alert} />
            </span>
            <span className="text-right">
              <Now now={alert.now} away={alert.away} />
            </span>
            <span className="col-span-full text-xs12">
              <StatusMark alert={alert} nowMs={data.nowMs} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length > 0 && (
        <p className="px-3 py-1.5 text-xs12">
          <NewAlert symbol={symbol} />
        </p>
      )}
    </>
  );
}

function NewAlert({ symbol }: { symbol: string | null }) {
  return (
    <Link
      href={symbol === null ? "/alerts?kind=price" : `/alerts?kind=price&symbol=${symbol}`}
      className="inline-flex items-center gap-1 text-accent-ink underline-offset-4 hover:underline"
    >
      <Plus aria-hidden size={13} />
      New alert
    </Link>
  );
}
