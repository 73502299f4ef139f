"use client";

import { useSyncExternalStore } from "react";

const SECOND_MS = 1_000;

function subscribe(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  // On the second, not merely every second: two clocks side by side must turn together.
  const wait = (): void => {
    timer = setTimeout(
      () => {
        listener();
        wait();
      },
      SECOND_MS - (Date.now() % SECOND_MS),
    );
  };
  wait();
  return () => clearTimeout(timer);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** The time of day in UTC. `initialMs` is what the server's clock said. */
export function UtcClock({ initialMs }: { initialMs: number }) {
  const text = useSyncExternalStore(
    subscribe,
    () => timeText(Date.now()),
    () => timeText(initialMs),
  );
  return (
    <span className="numerals text-[0.8125rem] whitespace-nowrap text-dim">
      <time aria-label="Time in UTC" role="timer" aria-live="off">
        {text}
      </time>{" "}
      <span className="text-faint">UTC</span>
    </span>
  );
}
