"use client";

import { useEffect, useState } from "react";
import type { LandingQuote } from "@/features/landing/types";

const REFRESH_MS = 1_000;
const RETRY_MS = 5_000;
const TIMEOUT_MS = 5_000;

/** Polls the public quote once a second while the page is visible. `isOld`: the last request failed. */
export function useQuote(initial: LandingQuote): { readonly quote: LandingQuote; readonly isOld: boolean } {
  const [state, setState] = useState({ quote: initial, isOld: false });
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll(): Promise<void> {
      let pauseMs = REFRESH_MS;
      try {
        if (!document.hidden) setState({ quote: await fetchQuote(stopping.signal), isOld: false });
      } catch {
        if (stopping.signal.aborted) return;
        setState(({ quote }) => ({ quote, isOld: true }));
        pauseMs = RETRY_MS;
      }
      if (!stopping.signal.aborted) timer = setTimeout(() => void poll(), pauseMs);
    }
    timer = setTimeout(() => void poll(), REFRESH_MS);
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, []);
  return state;
}

async function fetchQuote(signal: AbortSignal): Promise<LandingQuote> {
  const answer = await fetch("/landing/quote", { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as LandingQuote;
}
