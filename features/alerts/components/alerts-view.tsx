"use client";

import { Plus } from "lucide-react";
import { useEffect } from "react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { pickNewer, useFresh } from "@/components/ui/use-fresh";
import { AlertForm } from "@/features/alerts/components/alert-form";
import { AlertLog } from "@/features/alerts/components/alert-log";
import type { AlertRowActions } from "@/features/alerts/components/alert-row-actions";
import { AlertTable } from "@/features/alerts/components/alert-table";
import type { FormSetup } from "@/features/alerts/components/form-setup";
import { LimitLine } from "@/features/alerts/components/limit-line";
import { NotificationPart } from "@/features/alerts/components/notification-part";
import { type WebhookActions, WebhooksPart } from "@/features/alerts/components/webhooks-part";
import type { AlertsData } from "@/features/alerts/types";
import { markSeen } from "@/features/alerts/watch/watch-store";
import { ActionForm } from "@/features/forms/action-form";

const REFRESH_MS = 2_000;

interface AlertsViewProps {
  initial: AlertsData;
  /** The alert whose log is shown. */
  alertId: string | null;
  /** Whether a phone shows the form; a wide page always does. */
  isFormOpen: boolean;
  form: FormSetup;
  rowActions: AlertRowActions;
  webhookActions: WebhookActions;
  /** Whether the password was confirmed a moment ago. */
  confirmed: boolean;
}

/** Stores that firings up to a time were seen, once this page has the focus: another window may be in front. */
function useSeen(newestMs: number): void {
  useEffect(() => {
    const update = () => document.hasFocus() && markSeen(newestMs);
    update();
    addEventListener("focus", update);
    return () => removeEventListener("focus", update);
  }, [newestMs]);
}

/** The alerts of an account, refreshed every two seconds, and the form beside them. */
export function AlertsView({ initial, alertId, isFormOpen, form, ...rest }: AlertsViewProps) {
  const { rowActions, webhookActions, confirmed } = rest;
  const url = alertId === null ? "/alerts/data" : `/alerts/data?alert=${alertId}`;
  const { data: polled, isOffline } = useFresh<AlertsData>(url, REFRESH_MS, initial);
  const data = pickNewer(polled, initial);
  const newestMs = Math.max(0, ...data.alerts.map(({ lastFiredAtMs }) => lastFiredAtMs ?? 0));
  useSeen(newestMs);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_23rem] items-start border-t border-line max-wide:grid-cols-1">
      <div className="min-w-0">
        {isOffline && (
          <div className="px-4 py-3">
            <Notice tone="error">The server is not responding. This list may be out of date.</Notice>
          </div>
        )}
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-3 px-4 py-1.5 max-md:px-3">
          <LimitLine limits={data.limits} />
          <Link href="/alerts?kind=price" className={`wide:hidden ${getButtonClass("primary", "sm")}`}>
            <Plus aria-hidden size={15} />
            Create alert
          </Link>
        </div>
        {data.alerts.length === 0 ? (
          <EmptyState title="No alerts yet">
            An alert waits for a price, a move, a spread, a state or an economic event, and fires when it happens: on
            every page of Spotline, and if you like as a notification, a mail or a signed webhook.
          </EmptyState>
        ) : (
          <AlertTable data={data} chosenId={alertId} actions={rowActions} />
        )}
        {data.alerts.length > 0 && <AlertLog data={data} alertId={alertId} />}
        <NotificationPart />
        <WebhooksPart data={data} actions={webhookActions} confirmed={confirmed} />
      </div>
      <aside
        aria-labelledby="alert-form-title"
        className={`border-l border-line max-wide:order-first max-wide:border-b max-wide:border-l-0 wide:sticky wide:top-0 wide:max-h-dvh wide:overflow-y-auto ${isFormOpen ? "" : "max-wide:hidden"}`}
      >
        <AlertForm
          key={`${form.editedId} ${form.values.kind} ${form.values.symbol}`}
          {...form}
          webhooks={data.webhooks}
        />
        {form.editedId !== null && (
          <div id="delete" className="border-t border-line px-4 py-3">
            <ActionForm id={form.editedId} action={rowActions.remove} submit="Delete alert" look="danger" size="sm" />
          </div>
        )}
      </aside>
    </div>
  );
}
