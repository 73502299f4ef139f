import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { MarketTime } from "@/components/shared/market-clock";
import {
  addDevice,
  createAlert,
  createWebhook,
  deleteAlert,
  deleteWebhook,
  editAlert,
  pauseAlert,
  removeDevice,
  resumeAlert,
  testDevice,
  testWebhook,
} from "@/features/alerts/actions";
import { AlertsView } from "@/features/alerts/alerts-view";
import { readAlertsPage } from "@/features/alerts/data";
import { readFormSetup } from "@/features/alerts/form-values";
import { readAlertsChoice } from "@/features/alerts/url";
import { issueFormTicket } from "@/features/forms/define-action";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress, toSearch } from "@/features/session/address";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Alerts" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The alerts and the webhooks of an account. Every form works without a script. */
export default definePage("Alerts", async function AlertsPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireAccount(toAddress("/alerts", params));
  const runtime = await getRuntime();
  const choice = readAlertsChoice(toSearch(params));
  const form = await readFormSetup(runtime, account, choice);
  if (form === null) notFound();
  const ticket = await issueFormTicket();
  const save = form.editedId === null ? createAlert : editAlert;
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Alerts" runtime={runtime}>
        <ApiCallButton of="Alerts" requests={[{ path: "/v1/alerts" }, { path: "/v1/webhooks" }]} />
      </MarketHeader>
      <AlertsView
        initial={await readAlertsPage(runtime, account, choice.alertId)}
        alertId={choice.alertId}
        isFormOpen={choice.isOpen || form.editedId !== null}
        form={{ ...form, action: save.bind(null, ticket) }}
        rowActions={{
          pause: pauseAlert.bind(null, ticket),
          resume: resumeAlert.bind(null, ticket),
          remove: deleteAlert.bind(null, ticket),
        }}
        webhookActions={{
          create: createWebhook.bind(null, ticket),
          test: testWebhook.bind(null, ticket),
          remove: deleteWebhook.bind(null, ticket),
        }}
        deviceActions={{
          add: addDevice.bind(null, ticket),
          test: testDevice.bind(null, ticket),
          remove: removeDevice.bind(null, ticket),
        }}
        publicKey={runtime.pushDevices.publicKey}
        confirmed={await isConfirmed(account.id)}
      />
    </MarketTime>
  );
});
