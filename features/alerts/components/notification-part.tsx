"use client";

import { BellRing } from "lucide-react";
import {
  type NotificationState,
  notify,
  playSound,
  requestPermission,
  useNotificationState,
} from "@/components/shared/notify";
import { Button } from "@/components/ui/button";
import { ListPart } from "@/components/ui/page-part";
import { CHECK_CLASS } from "@/components/ui/pill";
import { changeWatch, useWatch } from "@/features/alerts/watch/watch-store";

const TEXTS: Readonly<Record<NotificationState | "on", string>> = {
  on: "This browser shows a notification when an alert fires, while Spotline is open in one of its tabs.",
  granted: "Notifications are off in this browser.",
  default: "This browser can show a notification when an alert fires, while Spotline is open in one of its tabs.",
  denied:
    "This browser blocks notifications of this site. Allow them in the settings of the site, beside its address, then load the page again.",
  none: "Notifications need a browser that has them, and a page over HTTPS. Alerts are shown on every page of Spotline.",
};

/** Switches the notifications of this browser on and off. The permission is requested only by a click. */
export function NotificationPart() {
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
