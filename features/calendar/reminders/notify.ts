import type { PageEvent } from "@/features/calendar/types";

/** Requests the permission to show notifications, unless it was given or refused before. Only for a click. */
export async function requestPermission(): Promise<void> {
  if ("Notification" in globalThis && Notification.permission === "default") await Notification.requestPermission();
}

/** Shows a notification of the browser, if it is permitted. All tabs together show one for an event. */
export function notify({ id, currency, title, forecast }: PageEvent, minutes: number): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  const body = forecast === "" ? "" : `Forecast ${forecast}`;
  try {
    new Notification(`${currency} ${title} in ${minutes} min`, { body, tag: `spotline-${id}` });
  } catch {
    // Android shows notifications only from a service worker. The notice on the page remains.
  }
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
