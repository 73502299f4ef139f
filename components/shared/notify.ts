import { useSyncExternalStore } from "react";

/** Notifications of the browser and a sound, for what happens while nobody looks at the page. */

/** Whether this browser may show notifications. "none": it has none, or the page came over plain HTTP. */
export type NotificationState = NotificationPermission | "none";

function readNotificationState(): NotificationState {
  return "Notification" in globalThis && isSecureContext ? Notification.permission : "none";
}

/** Requests the permission to show notifications, unless it was given or refused before. Only for a click. */
export async function requestPermission(): Promise<NotificationState> {
  if (readNotificationState() === "default") await Notification.requestPermission();
  return readNotificationState();
}

/** The permission, also after the visitor changed it in the settings of the browser; "default" on the server. */
export function useNotificationState(): NotificationState {
  return useSyncExternalStore(subscribeToPermission, readNotificationState, () => "default");
}

function subscribeToPermission(listener: () => void): () => void {
  const stopping = new AbortController();
  navigator.permissions?.query({ name: "notifications" }).then(
    (status) => status.addEventListener("change", listener, { signal: stopping.signal }),
    // A browser may not know this permission. Then the next click reads it.
    () => {},
  );
  return () => stopping.abort();
}

interface BrowserNotification {
  readonly title: string;
  readonly body: string;
  /** All tabs together show one notification of a tag. */
  readonly tag: string;
  /** The page that a click opens. */
  readonly href: string;
}

/** Shows a notification of the browser, if it is permitted. */
export async function notify({ title, href, ...options }: BrowserNotification): Promise<void> {
  if (readNotificationState() !== "granted") return;
  const registration = await findWorker();
  if (registration !== undefined) {
    // Android shows notifications only from a service worker, which also receives the click.
    return registration.showNotification(title, { ...options, data: { href } });
  }
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      // oxlint-disable-next-line spotline/no-location-assign -- no router outside a component
      location.assign(href);
    };
  } catch {
    // Without a worker, Android shows none. The notice on the page remains.
  }
}

async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  return registration?.active == null ? undefined : registration;
}

const TONES_HZ = [880, 1_175];
const TONE_S = 0.16;

/** Plays two short tones. Browsers do not permit it in a page without a click or key press. */
export function playSound(): void {
  const audio = new AudioContext();
  TONES_HZ.forEach((frequency, index) => {
    const startS = audio.currentTime + index * TONE_S;
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0.15 });
    volume.gain.setTargetAtTime(0, startS + TONE_S / 2, 0.03);
    tone.connect(volume).connect(audio.destination);
    tone.start(startS);
    tone.stop(startS + TONE_S * 2);
  });
  setTimeout(() => void audio.close(), 2_000);
}
