"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Figure } from "@/components/ui/figure";
import { formatCountdown } from "@/lib/time/duration";

interface CountdownProps {
  /** UTC milliseconds, both by the server's clock. */
  untilMs: number;
  nowMs: number;
}

/**
 * The time left, counted down by the second. At zero the page reloads its data. Without a script the text does not
 * change.
 */
export function Countdown({ untilMs, nowMs }: CountdownProps) {
  const [leftMs, setLeftMs] = useState(untilMs - nowMs);
  const router = useRouter();

  useEffect(() => {
    const startedAtMs = performance.now();
    const counting = setInterval(() => {
      const left = untilMs - nowMs - (performance.now() - startedAtMs);
      setLeftMs(Math.max(0, left));
      if (left > 0) return;
      clearInterval(counting);
      router.refresh();
    }, 1_000);
    return () => clearInterval(counting);
  }, [untilMs, nowMs, router]);

  const iso = new Date(untilMs).toISOString();
  return (
    <Figure as="time" dateTime={iso} title={`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`} role="timer">
      {formatCountdown(leftMs)}
    </Figure>
  );
}
