"use client";

import { Smartphone } from "lucide-react";
import { startTransition, useActionState, useState, useSyncExternalStore } from "react";
import { Moment } from "@/components/shared/moment";
import { requestPermission } from "@/components/shared/notify";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ListPart } from "@/components/ui/page-part";
import type { AlertsData, DeviceActions } from "@/features/alerts/types";
import { TestForm } from "@/features/alerts/webhook-item";
import { ActionForm } from "@/features/forms/action-form";
import { UNSENT } from "@/features/forms/action-state";

interface DevicesPartProps {
  data: Pick<AlertsData, "devices" | "nowMs">;
  actions: DeviceActions;
  /** What this browser subscribes with, base64url. */
  publicKey: string;
}

/** The devices that receive alerts while no page of Spotline is open. */
export function DevicesPart({ data: { devices, nowMs }, actions, publicKey }: DevicesPartProps) {
  return (
    <ListPart titleId="devices-title" title="Devices">
      <p className="mx-4 mb-3 max-w-prose text-xs13 text-dim">
        A device receives the alerts that are pushed while Spotline is not open: a phone, or a browser of a computer.
        The messages are encrypted for it.
      </p>
      {devices.length > 0 && (
        <ul className="mb-4 border-t border-line">
          {devices.map(({ id, name, host, createdAtMs }) => (
            <li
              key={id}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3"
            >
              <div className="min-w-0 text-xs13">
                <h3 className="font-medium">{name}</h3>
                <p className="text-xs12 text-faint">
                  {host} · added <Moment atMs={createdAtMs} nowMs={nowMs} />
                </p>
              </div>
              <div className="flex flex-wrap items-start gap-2">
                <TestForm id={id} name={name} action={actions.test} />
                <ActionForm
                  id={id}
                  action={actions.remove}
                  size="sm"
                  look="danger"
                  submit={
                    <>
                      Remove<span className="sr-only"> {name}</span>
                    </>
                  }
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <AddDevice action={actions.add} publicKey={publicKey} />
    </ListPart>
  );
}

/** Why this browser cannot receive pushed messages; "" if it can, null on the server. */
function findObstacle(): string {
  if (!isSecureContext) {
    return "This page came over plain HTTP. Browsers receive messages only from pages over HTTPS, or from localhost.";
  }
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  if (isApple && !matchMedia("(display-mode: standalone)").matches) {
    return "On an iPhone or iPad, add Spotline to the home screen first (Share, Add to Home Screen), and open it there.";
  }
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) {
    return "This browser cannot receive messages while no page is open. A private window may forbid it.";
  }
  return Notification.permission === "denied"
    ? "Allow notifications of this site first, then load the page again."
    : "";
}

const subscribeToNothing = () => () => {};

function AddDevice({ action, publicKey }: { action: DeviceActions["add"]; publicKey: string }) {
  const obstacle = useSyncExternalStore(subscribeToNothing, findObstacle, () => "");
  const [state, add, isPending] = useActionState(action, UNSENT);
  const [problem, setProblem] = useState<string | null>(null);
  async function subscribe(): Promise<void> {
    setProblem(null);
    try {
      const form = await readSubscription(publicKey);
      if (form === null) setProblem(findObstacle() || "The permission was not given.");
      else startTransition(() => add(form));
    } catch (error) {
      setProblem(`The browser could not subscribe: ${error instanceof Error ? error.message : "no reason given"}`);
    }
  }
  const shown = problem ?? state.error;
  return (
    <div className="mx-4 grid max-w-prose justify-items-start gap-2.5 text-xs13">
      {obstacle === "" ? (
        <form
          action={add}
          onSubmit={(event) => {
            event.preventDefault();
            void subscribe();
          }}
        >
          {["id", "endpoint", "p256dh", "auth", "name"].map((name) => (
            <input key={name} type="hidden" name={name} />
          ))}
          <Button type="submit" size="sm" disabled={isPending}>
            <Smartphone aria-hidden size={14} />
            Add this device
          </Button>
        </form>
      ) : (
        <p className="text-dim">{obstacle}</p>
      )}
      {shown !== undefined && <Notice tone="error">{shown}</Notice>}
      {state.done && problem === null && (
        <p role="status" className="text-dim">
          This device receives alerts. Choose “Push to devices” in an alert.
        </p>
      )}
    </div>
  );
}

/** Subscribes this browser, after it was permitted; null if it was not. */
async function readSubscription(publicKey: string): Promise<FormData | null> {
  if ((await requestPermission()) !== "granted") return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  // One of another key cannot be used.
  if (known !== null && toBase64Url(known.options.applicationServerKey) !== publicKey) await known.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const form = new FormData();
  form.set("id", subscription.endpoint.slice(-40));
  form.set("endpoint", subscription.endpoint);
  form.set("p256dh", toBase64Url(subscription.getKey("p256dh")));
  form.set("auth", toBase64Url(subscription.getKey("auth")));
  form.set("name", nameDevice(navigator.userAgent));
  return form;
}

function toBase64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** "Chrome on Android": what a person calls the device. */
function nameDevice(agent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[], other: string) =>
    names.find(([pattern]) => pattern.test(agent))?.[1] ?? other;
  const browser = find(
    [
      [/Edg/, "Edge"],
      [/OPR/, "Opera"],
      [/Firefox|FxiOS/, "Firefox"],
      [/Chrome|CriOS/, "Chrome"],
      [/Safari/, "Safari"],
    ],
    "Browser",
  );
  const system = find(
    [
      [/Android/, "Android"],
      [/iPhone/, "iPhone"],
      [/iPad/, "iPad"],
      [/Mac OS/, "Mac"],
      [/Windows/, "Windows"],
      [/Linux/, "Linux"],
    ],
    "this device",
  );
  return `${browser} on ${system}`;
}
