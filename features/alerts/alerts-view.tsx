"use client";

import { BellRing, Plus } from "lucide-react";
import { useEffect } from "react";
import {
  type NotificationState,
  notify,
  playSound,
  requestPermission,
  useNotificationState,
} from "@/components/shared/notify";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button, getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { ListPart, PageParts } from "@/components/ui/page-part";
import { pickNewer, useFresh } from "@/components/ui/use-fresh";
import { AlertForm } from "@/features/alerts/alert-form";
import { AlertLog, type AlertRowActions, AlertTable } from "@/features/alerts/alert-table";
import { DevicesPart } from "@/features/alerts/devices-part";
import type { AlertsData, DeviceActions, FormSetup, LimitsNow, WebhookActions } from "@/features/alerts/types";
import { changeWatch, markSeen, useWatch } from "@/features/alerts/watch-store";
import { WebhooksPart } from "@/features/alerts/webhooks-part";
import { ActionForm } from "@/features/forms/action-form";
import { formatCount } from "@/lib/text/text";

export const REFRESH_MS = 2_000;

interface AlertsViewProps {
  initial: AlertsData;
  /** The alert whose log is shown. */
  alertId: string | null;
  /** Whether a phone shows the form; a wide page always does. */
  isFormOpen: boolean;
  form: FormSetup;
  rowActions: AlertRowActions;
  webhookActions: WebhookActions;
  deviceActions: DeviceActions;
  /** What browsers subscribe with. */
  publicKey: string;
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
  const { rowActions, webhookActions, deviceActions, publicKey, confirmed } = rest;
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
          <EmptyState
            art="alert"
            title="No alerts yet"
            action={
              <Link href="/docs/alerts" className={getButtonClass("secondary")}>
                How alerts work
              </Link>
            }
          >
            An alert waits for a price, a spread, missing prices or an economic event, and tells you here, on your
            phone, by mail, in a chat or by a webhook.
          </EmptyState>
        ) : (
          <AlertTable data={data} chosenId={alertId} actions={rowActions} />
        )}
        {data.alerts.length > 0 && <AlertLog data={data} alertId={alertId} />}
        <PageParts>
          <NotificationPart />
          <DevicesPart data={data} actions={deviceActions} publicKey={publicKey} />
          <WebhooksPart data={data} actions={webhookActions} confirmed={confirmed} />
        </PageParts>
      </div>
      <aside
        aria-labelledby="alert-form-title"
        className={`border-l border-line max-wide:order-first max-wide:border-b max-wide:border-l-0 wide:sticky wide:top-0 wide:max-h-dvh wide:overflow-y-auto ${isFormOpen ? "" : "max-wide:hidden"}`}
      >
        <AlertForm
          key={`${form.editedId} ${form.values.kind} ${form.values.symbol}`}
          {...form}
          webhooks={data.webhooks}
          devices={data.devices.length}
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

/** How many alerts of the plan are active, and the plan with more once all are. */
function LimitLine({ limits: { plan, active, maxActive, larger } }: { limits: LimitsNow }) {
  return (
    <p className="text-xs13 text-dim">
      <span className="tabular-nums">
        <b translate="no" className="font-medium text-ink">
          {formatCount(active)}
        </b>{" "}
        of {formatCount(maxActive)}
      </span>{" "}
      active alerts of the {plan} plan
      {active >= maxActive && larger !== null && (
        <span className="text-warn">
          . {larger.plan} has {formatCount(larger.maxActive)}.{" "}
          <Link href="/plan" className="text-accent-ink underline underline-offset-4">
            Compare plans
          </Link>
        </span>
      )}
    </p>
  );
}

const TEXTS: Readonly<Record<NotificationState | "on", string>> = {
  on: "This browser shows a notification when an alert fires, while Spotline is open in one of its tabs.",
  granted: "Notifications are off in this browser.",
  default: "This browser can show a notification when an alert fires, while Spotline is open in one of its tabs.",
  denied:
    "This browser blocks notifications of this site. Allow them in the settings of the site, beside its address, then load the page again.",
  none: "Notifications need a browser that has them, and a page over HTTPS. Alerts are shown on every page of Spotline.",
};

/** Switches the notifications of this browser on and off. The permission is requested only by a click. */
function NotificationPart() {
  const { isOn, hasSound } = useWatch();
  const permission = useNotificationState();
  const isShown = isOn && permission === "granted";
  const canAsk = permission === "default" || permission === "granted";
  async function turnOn(): Promise<void> {
    const state = await requestPermission();
    changeWatch((before) => ({ ...before, isOn: state === "granted" }));
  }
  return (
    <ListPart titleId="notifications-title" title="Notifications of this browser">
      <div className="mx-4 grid max-w-prose gap-2.5 text-xs13">
        <p role="status" className="text-dim">
          {TEXTS[isShown ? "on" : permission]}
        </p>
        {canAsk && (
          <div className="flex flex-wrap gap-2">
            {isShown ? (
              <>
                <Button size="sm" onClick={() => void sendTest()}>
                  Show a test
                </Button>
                <Button size="sm" look="quiet" onClick={() => changeWatch((before) => ({ ...before, isOn: false }))}>
                  Turn off
                </Button>
              </>
            ) : (
              <Button size="sm" onClick={() => void turnOn()}>
                <BellRing aria-hidden size={14} />
                Show notifications
              </Button>
            )}
          </div>
        )}
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            checked={hasSound}
            onChange={({ target }) => {
              changeWatch((before) => ({ ...before, hasSound: target.checked }));
              if (target.checked) playSound();
            }}
            className={CHECK_CLASS}
          />
          Play a sound in this browser
        </label>
      </div>
    </ListPart>
  );
}

function sendTest(): Promise<void> {
  const body = "Alerts of this account look like this.";
  return notify({ title: "Spotline test", body, tag: "spotline-alert-test", href: "/alerts" });
}
